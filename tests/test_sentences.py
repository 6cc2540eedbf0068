"""Sentences stay sentences: places in sources aside, numbers with units, columns of numbers."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine
from perfnotes.site.safety import judge
from perfnotes.text.prose import shortened
from perfnotes.text.quantities import quantities
from tests.engine_of import engine_of
from tests.example_notes import made_pages, read_site, write_notes


def page_of(tmp_path: Path, text: str, bib: str = "") -> tuple[LexborHTMLParser, str]:
    files = {"caches/rows.md": text, **({"references.bib": bib} if bib else {})}
    site = read_site(write_notes(tmp_path, files))
    page = next(page for page in made_pages(site) if page.url == "caches/rows/")
    html = engine_of().convert(page.body).content
    assert judge(html) == []
    return LexborHTMLParser(html), page.markdown


@pytest.mark.parametrize(
    ("written", "link", "place", "markdown"),
    [
        ("[@drepper2007memory, sec. 3.3]", "Drepper 2007", ", sec. 3.3",
         "([Drepper 2007](../../references/drepper2007memory/index.md), sec. 3.3)"),
        ("[-@drepper2007memory, p. 4]", "2007", ", p. 4",
         "([2007](../../references/drepper2007memory/index.md), p. 4)"),
        ("@drepper2007memory [p. 4]", "Drepper (2007, p. 4)", ", p. 4",
         "[Drepper (2007, p. 4)](../../references/drepper2007memory/index.md)"),
        ("@drepper2007memory", "Drepper (2007)", "",
         "[Drepper (2007)](../../references/drepper2007memory/index.md)"),
    ],
)  # fmt: skip
def test_the_place_in_a_source_is_an_element_of_its_own(
    tmp_path: Path, written: str, link: str, place: str, markdown: str
) -> None:
    page, copy = page_of(tmp_path, f"It says so: {written}.\n")
    assert page.css("article a.pn-cite, a.pn-cite")[0].text() == link
    assert [each.text() for each in page.css(".pn-locator")] == ([place] if place else [])
    assert markdown in copy
    assert "pn-" not in copy


def test_a_work_without_a_year_is_named_by_whoever_made_it(tmp_path: Path) -> None:
    bib = "@manual{tool, author = {{NVIDIA Corporation}}, title = {A Tool}}\n"
    page, twin = page_of(
        tmp_path, "So [@tool, sec. 2], and @tool [sec. 3] as well, [-@tool].\n", bib
    )
    assert [each.text() for each in page.css("a.pn-cite")] == [
        "NVIDIA",
        "NVIDIA (sec. 3)",
        "NVIDIA",
    ]
    assert [each.text() for each in page.css(".pn-locator")] == [", sec. 2", " (sec. 3)"]
    assert "n.d." not in twin + str(page.html)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A load takes 80 ns, of 4 KiB\nand 3.5\nGB/s.", ["80 ns", "4 KiB", "3.5\nGB/s"]),
        ("A line of 64 bytes, 262,144 bytes in all.", ["64 bytes", "262,144 bytes"]),
        ("From 4 to 8 ns, or 4–8 ns, never `8 ns` nor $8 ns$.", ["4 to 8 ns", "4–8 ns"]),
        ("It is 16×, **8** ns, [a link of 8 ns](lines.md), in 2024 and gcc 12.", []),
        ("# A heading of 8 ns\n\n![8 ns](a.svg)", []),
        ("| 8 ns |\n|---|\n| 9 ns |", ["8 ns", "9 ns"]),
    ],
)
def test_a_number_and_its_unit_do_not_part(tmp_path: Path, text: str, kept: list[str]) -> None:
    page, twin = page_of(tmp_path, f"{text}\n")
    assert [each.text() for each in page.css(".pn-q")] == kept
    assert "<span" not in twin


def test_the_quantities_of_a_note_are_found_once(tmp_path: Path) -> None:
    """A note of 1 MB can hold a hundred thousand."""
    folder = write_notes(tmp_path, {"caches/rows.md": "A load takes 80 ns.\n"})
    with mock.patch("perfnotes.text.body.quantities", wraps=quantities) as found:
        site = read_site(folder)
        examine(site)
        made_pages(site)
    texts = [call.args[0].text for call in found.call_args_list]
    assert sum(text.endswith("A load takes 80 ns.\n") for text in texts) == 1


def test_a_number_before_a_term_does_not_cut_it(tmp_path: Path) -> None:
    """``page`` alone would count as the unit."""
    glossary = """
- id: fault
  en: page fault
  zh: 缺页
  definition: {en: A page is missing., zh: 缺少一页。}
"""
    overlay = {"caches/rows.md": "It took 31,774 page faults.\n", "glossary.yml": glossary}
    site = read_site(write_notes(tmp_path, overlay))
    page = next(page for page in made_pages(site) if page.url == "caches/rows/")
    html = LexborHTMLParser(engine_of().convert(page.body).content)
    assert [each.text() for each in html.css(".pn-term")] == ["page faults"]
    assert html.css(".pn-q") == []


def test_a_citation_stays_outside_of_the_number_before_it(tmp_path: Path) -> None:
    files = {
        "caches/rows.md": "It takes 8 ns [@drepper2007memory, p. 3].\n",
        "caches/rows.zh.md": "要 8 ns [@drepper2007memory, p. 3]。\n",
    }
    site = read_site(write_notes(tmp_path, files))
    page = next(page for page in made_pages(site) if page.url == "zh/caches/rows/")
    html = LexborHTMLParser(engine_of().convert(page.body).content)
    assert [each.text() for each in html.css(".pn-q")] == ["8 ns"]
    assert "8 ns（" in html.text().replace("\n", "")
    assert "8 ns（" in page.markdown


@pytest.mark.parametrize(
    ("rows", "right"),
    [
        ("| a | 8.5 ns |\n| b | 12 ns |", [1]),
        ("| a | **8.5×** |\n| b | [12×](lines.md) |\n| c | – |", [1]),
        ("| 64 KiB | 1,024 |\n| 4 MiB | 7 [@drepper2007memory, p. 3] |", [0, 1]),
        ("| a | 8 of 9 |\n| b | 4 |", []),
        ("| a | `8` |\n| b | `9` |", []),
        ("| a |  |\n| b | – |", []),
        ("| a | 8 \\| 9 |\n| b | 9 |", []),
        ("| a | [[lines|x]] |\n| b | 9 |", []),
    ],
)
def test_columns_of_numbers_are_aligned_to_the_right(
    tmp_path: Path, rows: str, right: list[int]
) -> None:
    page, twin = page_of(tmp_path, f"Words.\n\n| what | n |\n|---|---|\n{rows}\n")
    row = page.css("tbody tr")[0].css("td")
    found = [i for i, cell in enumerate(row) if "right" in str(cell.attributes)]
    assert found == right
    assert "|---|---|" in twin


def test_a_column_that_the_text_aligns_stays_so(tmp_path: Path) -> None:
    page, _ = page_of(tmp_path, "| a | n |\n|:--|:-:|\n| 1 | 2 |\n")
    assert [str(c.attributes).count("right") for c in page.css("tbody td")] == [0, 0]


def test_only_long_code_of_tables_may_be_broken_anywhere(tmp_path: Path) -> None:
    long, spaced = "torch.use_deterministic_algorithms", "gcc -O2 -march=native"
    rows = f"| `{long}` | `short` |\n| [`{long}`](lines.md) `{spaced}` | ``{long}`` |"
    table = f"| what | n |\n|---|---|\n{rows}\n"
    page, twin = page_of(tmp_path, f"Of `{long}`.\n\n{table}")
    assert [each.text() for each in page.css("code.pn-long")] == [long] * 3
    assert all(each.text() in (long, "short", spaced) for each in page.css("article code"))
    assert "pn-long" not in twin


def test_a_paragraph_of_hundreds_of_quantities_stays_as_it_is(tmp_path: Path) -> None:
    page, _ = page_of(tmp_path, f"{'It takes 8 ns. ' * 501}\n\nThis takes 9 ns.\n")
    assert [each.text() for each in page.css(".pn-q")] == ["9 ns"]


@pytest.mark.parametrize(
    ("words", "most", "shown"),
    [
        ("A row lies in a line.", 21, "A row lies in a line."),
        ("A row lies in a line.", 12, "A row lies …"),
        ("A row, or two rows, lie in a line.", 8, "A row …"),
        ("一行数据，另一行数据。", 12, "一行数据 …"),
        ("Unbreakable", 4, "Unbreakable"),
    ],
)
def test_words_are_shortened_at_a_blank_or_a_chinese_character(
    words: str, most: int, shown: str
) -> None:
    assert shortened(words, most) == shown


def test_the_words_of_many_backlinks_are_shortened(tmp_path: Path) -> None:
    front = "---\ntitle: {}\ntags: [cache]\nlevel: introductory\n---\n\n"
    said = "This note tells what [[rows]] are, in a sentence with so many words that it is long."
    for many, is_whole in ((5, True), (60, False)):
        notes = {f"caches/a{i}.md": front.format(f"A {i}") + said for i in range(many)}
        notes["caches/rows.md"] = front.format("Rows") + "A row is a row."
        site = read_site(write_notes(tmp_path / str(many), notes))
        page = next(page for page in made_pages(site) if page.url == "caches/rows/")
        quotes = [q.text() for q in LexborHTMLParser(page.body).css(".pn-backlinks .pn-quote")]
        ours = [words for words in quotes if words.startswith("This note tells")]
        assert len(ours) == many
        assert {words == said.replace("[[rows]]", "Rows") for words in ours} == {is_whole}
        assert is_whole or max(map(len, ours)) <= 42


def test_on_chinese_pages_they_are_half_as_long(tmp_path: Path) -> None:
    front = "---\ntitle: {}\ntags: [cache]\nlevel: introductory\n---\n\n"
    said = "This note tells what [[rows]] are, in a sentence with so many words that it is long."
    notes = {f"caches/a{i}.md": front.format(f"A {i}") + said for i in range(60)}
    notes["caches/rows.md"] = front.format("Rows") + "A row is a row."
    notes["caches/rows.zh.md"] = "---\ntitle: 行\n---\n\n一行就是一行。\n"
    site = read_site(write_notes(tmp_path, notes))
    page = next(page for page in made_pages(site) if page.url == "zh/caches/rows/")
    quotes = [q.text() for q in LexborHTMLParser(page.body).css(".pn-backlinks .pn-quote")]
    ours = [words for words in quotes if words.startswith("This note")]
    assert len(ours) == 60
    assert max(map(len, ours)) <= 22
