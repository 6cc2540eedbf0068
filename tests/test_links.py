"""Links, citations and the graph: what resolves, what stays text, what each page says of others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine
from perfnotes.graph import termuses
from perfnotes.graph.site import Site
from perfnotes.graph.termuses import TermFinder, Use
from perfnotes.model.bilingual import Bilingual
from perfnotes.model.term import Term
from perfnotes.site.stage import Stage
from perfnotes.text.body import read_body
from perfnotes.text.source import Source
from tests.engine_of import engine_of, prepare
from tests.example_notes import read_site, stage_without_index, write_notes


def build(folder: Path, overlay: dict[str, str]) -> tuple[Site, Stage]:
    write_notes(folder, overlay)
    site = read_site(folder)
    return site, stage_without_index(site)


def article(site: Site, staged: Stage, path: str) -> LexborHTMLParser:
    prepared, _ = prepare(site, staged, engine_of())
    return LexborHTMLParser(prepared[path].content)


def hrefs(tree: LexborHTMLParser) -> set[str]:
    return {a.attributes.get("href") or "" for a in tree.css("a")}


def codes(site: Site) -> set[str]:
    return {f.code for f in site.graph.findings}


LOOKALIKES = [
    "Use [[ -f x ]] in bash.",
    "An attribute such as [[nodiscard]].",
    "Java's @Override and CSS's @media.",
    "Ask @user or me@host.example.",
    "`[[lines]]` and `[@drepper2007memory]` in code.",
    "```text\n[[lines]] @drepper2007memory\n```",
    "    [[lines]] and @drepper2007memory in an indented block",
    "<!-- [[nolines]] [@drepper2007memroy] -->",
]


@pytest.mark.parametrize("text", LOOKALIKES)
def test_what_only_looks_like_a_link_stays_text(text: str, tmp_path: Path) -> None:
    site, staged = build(tmp_path, {"gpu/warps.md": f"Text.\n\n{text}\n"})
    assert not codes(site)
    paragraphs = article(site, staged, "gpu/warps/index.md").css("p a, pre a")
    assert all(a.attributes.get("rel") == "tag" for a in paragraphs)


LINKS = {
    "[[lines]]": "../../caches/lines/",
    "[[caches/lines]]": "../../caches/lines/",
    "[[lines#size]]": "../../caches/lines/#size",
    "[[lines#size|words]]": "../../caches/lines/#size",
    "| a |\n|---|\n| [[lines#size\\|words]] |": "../../caches/lines/#size",
    "[words](../caches/lines.md)": "../../caches/lines/",
    "[words](../caches/lines.md#alignment)": "../../caches/lines/#alignment",
    "[words][ref]\n\n[ref]: ../caches/lines.md": "../../caches/lines/",
    "[[warp]]": "../../glossary/warp/",
    "[[cache line]]": "../../caches/lines/",  # a term that a note explains leads to the note
    "[@drepper2007memory, p. 3]": "../../references/drepper2007memory/",
    "@drepper2007memory [p. 3] says": "../../references/drepper2007memory/",
    "[see @drepper2007memory; -@drepper2007memory]": "../../references/drepper2007memory/",
    "[web](https://example.org/a_b)": "https://example.org/a_b",
    "<https://example.org/>": "https://example.org/",
}


@pytest.mark.parametrize(("text", "href"), LINKS.items())
def test_a_link_leads_where_it_says(text: str, href: str, tmp_path: Path) -> None:
    overlay = {"gpu/lanes.md": f"Text.\n\n{text}\n"}
    site, staged = build(tmp_path, overlay)
    assert not codes(site)
    assert href in hrefs(article(site, staged, "gpu/lanes/index.md"))


def test_citations_read_as_authors_and_years(tmp_path: Path) -> None:
    text = "Lines hold 64 bytes [see @drepper2007memory, sec. 3]. @drepper2007memory [p. 9] agrees."
    site, staged = build(tmp_path, {"gpu/lanes.md": text})
    words = article(site, staged, "gpu/lanes/index.md").text()
    assert "(see Drepper 2007, sec. 3)" in words
    assert "Drepper (2007, p. 9) agrees" in words
    assert "[Drepper 2007](" in staged.markdown["gpu/lanes/index.md"].decode()


def test_every_link_is_seen_from_both_ends_with_its_sentence(tmp_path: Path) -> None:
    text = "First. A warp reads whole [[lines]], e.g. 128 bytes [@drepper2007memory]. Last."
    site, staged = build(tmp_path, {"gpu/lanes.md": text})
    sentence = "A warp reads whole Cache lines, e.g. 128 bytes (Drepper 2007)."
    assert [e.sentence for e in site.graph.inbound["caches/lines"] if e.source == "gpu/lanes"] == [
        sentence
    ]
    cited = [e for e in site.graph.cited_by["drepper2007memory"] if e.source == "gpu/lanes"]
    assert [e.sentence for e in cited] == [sentence]
    for page in ("caches/lines/index.md", "references/drepper2007memory/index.md"):
        tree = article(site, staged, page)
        assert sentence in tree.text()
        assert "../../gpu/lanes/" in hrefs(tree)
    own = article(site, staged, "gpu/lanes/index.md")
    quotes = own.css(".pn-references blockquote")
    assert [q.text() for q in quotes] == [sentence]


def test_a_chinese_page_links_chinese_pages_and_says_where_there_is_none(tmp_path: Path) -> None:
    overlay = {
        "caches/lines.zh.md": "见 [[rows]]、[行](rows.md) 与 [[warp]]。\n\n"
        "## 大小\n\n文字。\n\n## 对齐\n\n文字。\n"
    }
    site, staged = build(tmp_path, overlay)
    tree = article(site, staged, "zh/caches/lines/index.md")
    assert "../../../caches/rows/" in hrefs(tree)
    assert tree.text().count("（英文）") == 2
    assert "../../glossary/warp/" in hrefs(tree)
    ids = [h.attributes["id"] or "" for h in tree.css("h2")]
    assert [id for id in ids if not id.startswith("pn-")] == ["size", "alignment"]


def test_under_zh_every_note_topic_tag_term_and_reference_can_be_reached(tmp_path: Path) -> None:
    site, staged = build(tmp_path, {})
    for path in ("", "caches/", "gpu/", "tags/", "tags/cache/", "references/", "glossary/",
                 "glossary/warp/", "references/drepper2007memory/", "recent/"):  # fmt: skip
        assert f"zh/{path}index.md" in staged.files
    listing = article(site, staged, "zh/caches/index.md")
    assert {"./lines/", "lines/"} & hrefs(listing)
    assert "../../caches/rows/" in hrefs(listing)


def test_the_first_use_of_a_term_is_marked_once(tmp_path: Path) -> None:
    text = "## Warps here\n\nA `warp` and two warps; another warp.\n\n[a warp](rows.md)\n"
    site, staged = build(tmp_path, {"caches/threads.md": text})
    tree = article(site, staged, "caches/threads/index.md")
    marked = tree.css("a.pn-term")
    assert [m.text() for m in marked] == ["warps"]
    assert "线程束" in (marked[0].attributes["title"] or "")


def test_a_chinese_term_is_not_marked_across_two_words() -> None:
    both = Bilingual("Huge pages", "大页")
    finder = TermFinder([Term(id="huge-page", name=both, definition=both)], "zh")
    text = "最大页数是 4。大页更省。"
    [use] = finder.first_uses(read_body(Source("x.md", text)))
    assert use.start == text.index("大页更省")


def test_what_a_wrong_link_is_told(tmp_path: Path) -> None:
    text = "[a](#none), [b](lines.md#none), [c](data.docx)\n"
    site = read_site(write_notes(tmp_path, {"caches/rows.md": text, "caches/data.docx": "x"}))
    assert {f.message: f.hint for f in examine(site)} == {
        "this page has no heading #none": "it has no headings",
        "caches/lines has no heading #none": "its headings: #alignment, #size",
        "a file of type 'docx' is not published":
            "only pictures, data and source code are: convert it, or link its public address",
    }  # fmt: skip


def test_no_term_is_marked_in_a_link_definition() -> None:
    finder = TermFinder([Term("warp", Bilingual("warp"), Bilingual(""))], "en")
    text = "[the page]:\n  warp\n\nA warp.\n"
    [use] = finder.first_uses(read_body(Source("x.md", text)))
    assert use.start == text.index("A warp") + 2


def test_no_term_is_missed_because_of_how_its_word_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only spellings that may stand at a place are tried there; trying all finds the same."""
    names = "cache|cache line|TLB|C++|x86|false sharing|na\u00efve|page|L1 cache".split("|")
    terms = [Term(f"term-{i}", Bilingual(name), Bilingual("")) for i, name in enumerate(names)]
    words = (
        "Cache|caches|cached|cache-line|cache  line|TLBs|tlb|C++|C|x86|X86s|x86_64|"
        "False Sharing|falsely|na\u00efve|naive|Pages|pag\u00e9|L1|l1 caches|"
        "\u212a|page\u017f|pagess|a|\u7f13\u5b58"
    ).split("|")
    rng = random.Random(5)
    texts = [" ".join(rng.choices(words, k=12)) + rng.choice(".e\u00e9") for _ in range(400)]

    def uses() -> list[list[Use]]:
        finder = TermFinder(terms, "en")
        return [finder.first_uses(read_body(Source("x.md", text))) for text in texts]

    chosen = uses()
    monkeypatch.setattr(termuses, "_may_begin", lambda *_: True)
    assert chosen == uses()
    assert {use.term for each in chosen for use in each} >= {term.id for term in terms}


def test_aliases_and_explained_terms_lead_on(tmp_path: Path) -> None:
    overlay = {"gpu/lanes.md": "---\naliases: [gpu/old-lanes, lane of a warp]\n---\n\nText.\n"}
    site, staged = build(tmp_path, overlay)
    page = staged.files["gpu/old-lanes/index.html"].decode()
    assert 'content="0; url=../lanes/"' in page
    assert not any("lane of" in path for path in staged.files)
    term = article(site, staged, "glossary/cache-line/index.md")
    assert "../../caches/lines/" in {a.attributes["href"] for a in term.css("a")}


def test_drafts_are_left_out(tmp_path: Path) -> None:
    overlay = {"gpu/lanes.md": "---\ndraft: true\n---\n\nSee [[lines]].\n"}
    site, staged = build(tmp_path, overlay)
    assert not any("lanes" in path for path in staged.files)
    assert not any(e.source == "gpu/lanes" for e in site.graph.inbound["caches/lines"])


def test_evidence_links_keep_their_number_and_are_reported(tmp_path: Path) -> None:
    site, staged = build(tmp_path, {"gpu/lanes.md": "It took [9.4×](lab:slowdown) longer.\n"})
    tree = article(site, staged, "gpu/lanes/index.md")
    assert "It took 9.4× longer." in tree.text()
    assert not any("lab:" in link for link in hrefs(tree))


def test_related_notes_share_links_citations_or_tags(tmp_path: Path) -> None:
    site, _ = build(tmp_path, {"gpu/lanes.md": "See [[lines]] [@drepper2007memory].\n"})
    nearest = site.related.to(site.library.notes["gpu/lanes"])
    assert nearest[0].id == "caches/lines"


def test_what_is_related_is_found_once_for_two_states_that_relate_the_notes_alike(
    tmp_path: Path,
) -> None:
    texts = {"gpu/lanes.md": "See [[lines]] [@drepper2007memory].\n"}
    first, _ = build(tmp_path / "first", texts)
    same, _ = build(tmp_path / "same", {"gpu/lanes.md": f"Other words. {texts['gpu/lanes.md']}"})
    more, _ = build(tmp_path / "more", {"gpu/lanes.md": "See [[lines]], [[steps]], [[rows]].\n"})

    def related(site: Site) -> list[str]:
        return [note.id for note in site.related.to(site.library.notes["gpu/lanes"])]

    alone = [related(site) for site in (first, same, more)]
    for site in (same, more):
        site.reuse_from(first)
    assert [related(site) for site in (first, same, more)] == alone
    assert same.related._found is first.related._found
    assert more.related._found is not first.related._found


def test_math_becomes_mathml_in_its_place(tmp_path: Path) -> None:
    text = (
        "A line that goes on\n$a * b_1 * c$ stands at its start, and $x < y$ costs $5 or $6.\n\n"
        "$$\n\\frac{1}{2} \\text{ if } x < 1\n$$\n\n- in a list $\\beta$\n"
    )
    site, staged = build(tmp_path, {"gpu/lanes.md": text})
    tree = article(site, staged, "gpu/lanes/index.md")
    assert [m.text(strip=True) for m in tree.css("p math")] == ["a*b1*c", "x<y"]
    assert [m.text(strip=True) for m in tree.css("div.pn-math math[display=block] mfrac")] == ["12"]
    assert [m.text() for m in tree.css("li math")] == ["β"]
    first = next(p for p in tree.css("p") if p.text().startswith("A line"))
    assert "stands at its start" in first.text()
    assert "costs $5 or $6." in first.text()
