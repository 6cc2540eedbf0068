"""The scanner on texts that are far too long, too deep or too dense: it ends soon and says so."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfnotes.build.plain import is_plain
from perfnotes.text import limits
from perfnotes.text.blocks import scan_blocks
from perfnotes.text.body import read_body
from perfnotes.text.inline import _Inline, scan
from perfnotes.text.quantities import quantities
from perfnotes.text.source import Source
from perfnotes.text.tokens import MarkdownDocument
from tests.engine_of import html, staged
from tests.examples import examples

HOSTILE = (
    "[", "[ ", "![", "[[", "[a](", "[a][", "[]", "*", "**a", "_", "`", "` ", "``a` ", "$", "$a ",
    "$$ a ", "<", "<a ", "<a b=\"", "<!-- ", "</", "@a", "@a ", "[@a; ", "> ", "> a\n", "- ", "1. ",
    "- a\n", "-\n", "# a\n", "a\n===\n", "|", "| a |\n", "```\n", "- ```\n", "{", "{a ", "\\", "&",
    "[a]: b\n", "[^a]: b\n", ": a\n", "<div>\n", "<pre>\n", "[a](b) ", "[[a]] ", "a\\\n", "{{ a }} ",
)  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_no_text_takes_long(part: str) -> None:
    """What takes quadratic time takes minutes."""
    begun = time.process_time()
    body = read_body(Source("x", part * (100_000 // len(part))))
    document = body.document
    starts = [link.start for link in document.links] + [wiki.start for wiki in document.wikis]
    for start in starts + [citation.start for citation in document.citations]:
        body.prose.sentence(start)
    assert body.anchors is not None
    assert time.process_time() - begun < 10


def test_blanks_after_an_underline_are_read_once() -> None:
    begun = time.process_time()
    assert scan(f"text\n---{' ' * 100_000}b\n").excess is None
    assert time.process_time() - begun < 5


def test_nesting_ends_somewhere() -> None:
    for source in (
        "[" * 5000 + "a" + "](b)" * 5000,
        "".join("  " * i + "- a\n" for i in range(300)),
        "- " * 5000 + "a\n",
        "> " * 5000 + "a\n",
        "1. " * 5000 + "a\n",
    ):
        assert re.sub(r"\W", "", html(source).text())


def test_what_the_engine_could_not_read_in_time_is_known_before() -> None:
    assert scan("[a](b.md) " * 200).excess is None
    assert scan("word " * 100_000).excess is None
    dense = scan("text\n\n" + "*a* " * 20_000).excess
    assert dense
    assert dense.at == 5


@pytest.mark.parametrize(
    ("source", "at", "what"),
    [
        ("```\n```\n\n" * 5000, 3000 * 9, "5,000 fences"),
        ("$$\na\n$$\n\n" * 5000, 3000 * 9, "5,000 displayed formulas"),
        ('=== "a"\n' * 2000, 1000 * 8, "2,000 tabs and boxes"),
        ("??? x\n" * 2000, 1000 * 6, "2,000 tabs and boxes"),
        ("> [!NOTE]\n> a\n\n" * 2000, 1000 * 15, "2,000 tabs and boxes"),
        ("x[^1]\n" * 3000, 1501 * 6 - 5, "3,000 references to footnotes"),
        ("x\n\n" + "[TOC]\n\n" * 400, 3 + 100 * 7, "400 tables of contents"),
        ("a\n: b\n" * 6000, 5000 * 6 + 2, "6,000 definitions"),
        ("x\n\n" + "# a\n" * 20_000, 3, "20,000 headings"),
        ("x\n\n" + "- a\n" * 40_000, 3, "40,000 list items"),
        ("a\n\n" * 80_000, 0, "80,000 paragraphs"),
        ("x\n\n" + "#\n" * 400_001, 0, "400,003 lines"),
        (
            "".join(f"${'a' * 3994}{i}$\n\n" for i in range(1000, 1040)),
            30 * 4002,
            "more than 120,000 characters of formulas",
        ),
        (
            f"${'a' * 3998}$\n\n" * 60,
            37 * 4002,
            "more than 150,000 characters of formulas, repeated ones included",
        ),
        (
            "x\n\n" + f"${'a' * 398}$\n" * 60,
            3 + 50 * 401,
            "more than 20,000 characters of formulas in one paragraph",
        ),
        (f"$$\n{'a' * 20_001}\n$$\n", 0, "more than 20,000 characters of formulas in one"),
        ("x\n\n" + "<!--a-->a\n" * 20_000, 3, "20,000 comments"),
        ("x\n\n" + "#a\n" * 20_000, 2, "a paragraph of 60,001 characters with 20,000 signs"),
        ("x\n\n" + "<b>\n\n" * 50_000, 3, "50,000 times the sign '<'"),
        ("x\n\n" + "+\n" * 40_000, 3, "40,000 list items"),
        ("- x\n\n" + "    a\n    ===\n" * 1100, 5 + 1001 * 14 - 1, "1,100 rules and underlined"),
        ("x\n\n" + "---\n" * 1100, 3 + 1002 * 4 - 1, "1,099 rules and underlined"),
        ("x\n\n" + "|\n" * 140_000, 3, "140,000 times the sign '|'"),
        ("|a|b|c|d|\n|-|-|-|-|\n" + "|\n" * 50_000, 0, "200,00"),
        ("x\n\n" + "<!-- a -->\n    b\n" * 8000, 14, "8,000 pieces of indented code"),
        ("x\n\n" + "a  \n" * 12_000, 2, "a paragraph of 48,001 characters with 12,000 signs"),
        ("x\n\n" + "@a2020b\n" * 8000, 2, "a paragraph of 64,001 characters with 8,000 signs"),
        ("a\n===\n\n    b\n\n" * 10_000, 7, "10,000 pieces of indented code"),
        ("x\n\n" + "1 s\n" * 70_000, 3, "70,000 numbers with a unit"),
        ("x\n\n# " + "1 s " * 70_000, 5, "70,000 numbers with a unit"),
    ],
)
def test_a_text_with_too_much_of_a_kind_is_taken_as_code(source: str, at: int, what: str) -> None:
    document = scan(source)
    assert document.excess
    assert document.excess.at == at
    assert document.excess.what.startswith(what)
    title = [(heading.start, heading.end) for heading in document.blocks.headings]
    covered = sorted([*document.code, *title])
    assert [start for start, _ in covered] == [0, *(end for _, end in covered[:-1])]
    assert covered[-1][1] == len(source)
    assert not document.links + document.tags + document.maths + document.blocks.edits


@pytest.mark.parametrize(
    ("info", "code", "shown"),
    [
        ("make", "_" * 6000, "text"),  # a lexer that takes four seconds for one line
        ("csharp", "a\n" * 4000, "text"),  # its lines are one run of words
        ("c", "int a;\n" * 3000, "c"),
        ("c", "int a;\n" * 6000, "text"),
        ("nim", "let a = 1\n" * 1500, "text"),  # a lexer that is not among the measured ones
        ("text", "_" * 100_000, "text"),
        ("no-such-language", "_" * 100_000, "no-such-language"),
        ('{.c hl_lines="1"}', "int a;\n" * 6000, "text"),
    ],
)
def test_code_that_a_lexer_may_not_finish_is_plain_text(info: str, code: str, shown: str) -> None:
    document = scan(f"a\n\n```{info}\n{code}\n```\n\n```c\nint b;\n```\n")
    first, second = document.blocks.fences
    changed = {edit.start: edit.new for edit in (*document.blocks.edits, *document.edits)}
    assert changed.get(first.info_start, info) == shown
    assert document.not_highlighted == ([first] if shown != info else [])
    assert second.info_start not in changed


def test_a_hundred_blocks_of_fifty_lines_are_highlighted() -> None:
    line = "    total += values[i] * weights[i];  // a sum\n"
    assert not scan(("```c\n" + line * 50 + "```\n\n") * 100).not_highlighted


def test_the_code_of_a_page_shares_one_budget() -> None:
    block = "```c\n" + "int a;\n" * 4000 + "```\n\n"
    assert not scan(block + "```c\nint b;\n```\n").not_highlighted
    document = scan(block * 5)
    assert document.not_highlighted == document.blocks.fences[1:]


@pytest.mark.parametrize("start", ["# a", "***", "!!! note"])
@pytest.mark.parametrize("lead", ["", "    "])
def test_the_engine_gets_short_blocks(start: str, lead: str) -> None:
    """It searches the rest of a block again after each heading, rule and box."""
    source = "- x\n\n" * bool(lead) + f"{lead}{start}\n{lead}text\n" * 500
    assert max(block.count("\n") for block in staged(source).split("\n\n")) <= 41


def test_the_engine_gets_short_blocks_of_long_lines() -> None:
    source = f"a\n\n---\n{'word ' * 100}\n" * 100
    assert max(map(len, staged(source).split("\n\n"))) < 6000


def test_lines_of_indented_code_are_one_piece() -> None:
    source = "- x\n\n" + "        a\n" * 100 + "\n        b\n    c\n\n> \n>     d\n>     e\n"
    pieces = [source[start:end].split() for start, end in scan(source).code]
    assert pieces == [["a"] * 100, ["b"], ["d"], ["e"]]


def test_a_citation_holds_few_brackets() -> None:
    """The engine would seek the end of each again, sign by sign."""
    assert scan("[@a, sec. [4] and [5]]").citations
    nested = "[@a, " * 60 + "b" + "]" * 60
    groups = scan(nested).citations
    assert max(nested.count("[", group.start, group.end) for group in groups) == 9
    assert staged(nested).count("[") <= 50


def test_headings_in_an_item_stay_there_one_by_one() -> None:
    item = html("- x\n\n" + "    # a\n" * 100 + "\n    y\n").css_first("li")
    assert item
    assert len(item.css("h1")) == 100
    assert [p.text() for p in item.css("p")] == ["x", "y"]


def test_a_long_list_without_blank_lines_gets_none() -> None:
    assert not html("- a\n" * 300).css("p")


def test_a_dense_text_of_numbers_may_fill_an_ordinary_page() -> None:
    assert scan("A load takes 80 ns, of 4 KiB.\n" * 20_000).excess is None
    assert scan("# " + "a " * 200_000).excess is None


def test_signs_in_code_are_no_load() -> None:
    assert scan("```\n" + "[a](b) <b> *c*\n" * 20_000 + "```\n").excess is None


def test_a_comment_that_never_ends_is_sought_once() -> None:
    """Blanking comments by an expression tried each of them to the end of the text."""
    assert [q.text for q in quantities(scan("<!-- a 3 GB " * 3))] == ["3 GB"] * 3
    assert not list(quantities(scan("<!-- 3 GB --> x <!-- 4 GB -->\n")))


def test_a_long_text_of_many_fences_is_judged_and_not_searched_for_plainness() -> None:
    text = "```c\na\n```\n\n"
    assert is_plain(read_body(Source("n.md", text * 3)))
    assert not is_plain(read_body(Source("n.md", text * 1000)))


_PIECES = (
    *HOSTILE, "[^", "-\n", "*\n", "=\n", "#\n", "#[^\n", ">-\n", "$$a$$ ", "\n$$\na\n$$\n", "[TOC]\n",
    "\n\n\ta\n\na", "\n    a\nb\n", "1a", "a  \n", "[!NOTE]\n", "!!! a\n", "=== a\n", "<!---->\n",
    "\n|a|b|\n|-|-|\n|c|\n", "***\n", "* * *\n", "~~~\n~~~\n", "\\[x\\]", "[^a]: b\n", "!@", "\n\n",
)  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6), st.integers(2_000, limits._LONG))
@examples(50)
def test_a_light_text_exceeds_no_limit(pieces: list[str], length: int) -> None:
    """Where few things show that a text is light, counting all of them says the same."""
    unit = "".join(pieces)
    text = unit * (length // len(unit))
    document = MarkdownDocument(text, 0, scan_blocks(text, 0))
    inline = _Inline(document)
    places = limits._places(document, inline.masked)
    counts = limits._counts(document, inline.masked, places)
    cells = limits._LOAD["cells of tables"] * counts["cells of tables"]
    assert limits._loads(counts).total() - cells <= limits._HEAVIEST * len(text)
    if limits._is_light(document, inline.masked):
        assert all(len(places[kind]) <= most for kind, most in limits._MOST.items())
        assert limits._overload(document, inline.masked, places) is None
        assert limits._densest(0, inline.masked, inline.pairs) is None
