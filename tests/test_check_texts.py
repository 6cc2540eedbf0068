"""Findings in the text of a note: formulas, headings, raw HTML, and hints that mend the cause."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perfnotes.checks._rule import Files
from perfnotes.text.findings import Finding

Look = Callable[[Files], list[Finding]]


FORMULAS = {
    "The cost $E = mc and so.\n": ["10:10 $"],
    "A $\\frac{1}{2} more, and $x$.\n": ["10:3 $"],
    "$$\nE = mc^2\n\nText.\n": ["10:1 $$"],
    "$$\nE = mc^2\n\nText.\n\n$$\n": ["10:1 $$"],
    "From $5 to $20, $HOME, \\$x = 1, `$i`, $x$ and $$y$$ [@drepper2007memory, $p].\n": [],
    "See [x](https://example.org/$a).\n\n```bash\necho $i $$\n```\n": [],
}


@pytest.mark.parametrize("text", FORMULAS, ids=range(len(FORMULAS)))
def test_a_formula_without_an_end(look: Look, text: str) -> None:
    found = [f for f in look({"caches/rows.md": text}) if f.code == "PN517"]
    assert [f"{f.line}:{f.column} {f.message.split()[1]}" for f in found] == FORMULAS[text]


def test_a_written_heading_id_is_that_of_no_other_heading(look: Look) -> None:
    text = "## Rows\n\nx\n\n## Columns {#rows}\n\nx\n\n## Rows\n\nx\n\n## Tiles {#tiles}\n\nx\n"
    found = [(f.line, f.message) for f in look({"caches/rows.md": text}) if f.code == "PN518"]
    assert found == [(14, "the id 'rows' is that of the heading in line 10")]


def test_hints_say_what_mends_the_cause(look: Look) -> None:
    front = (
        "title: Sets\ndescription: x\ntags: [cache]\nlevel: introductory\ndate: 2026-01-31\n---\n"
    )
    files: dict[str, str | bytes] = {
        "caches/sets.md": f"\n---\n{front}".encode(),
        "caches/wide.md": f"---\n{front}é".encode("utf-16-le"),
        "caches/rows.md": "---\nchosen: [64 KiB a row]\n---\nA 64 KiB row \u200band \u202emore.\n",
        "caches/lines.md": "![a line](https://example.org/line.svg)\n",
    }
    told = {f"{f.path[13:]} {f.code} {f.message} ({f.hint})" for f in look(files)}
    assert told >= {
        "sets.md PN201 the front matter does not begin in the first line "
        "(remove the empty space above '---')",
        "wide.md PN101 byte 0xe9 is not UTF-8 (save the file as UTF-8, which may be UTF-16 now)",
        "rows.md PN107 the character U+200B (ZERO WIDTH SPACE) is not seen, and 1 more in this "
        "file (remove it; in code, write an escape)",
        "rows.md PN921 chosen lists '64 KiB a row', but no quantity of the text is written so "
        "(the quantity is read as '64 KiB': write that)",
        "lines.md PN601 a picture from another host is not allowed "
        "(put the picture beside the note, best drawn as SVG)",
    }


RAW = {
    "A <i>word</i> and another <i>word</i>.\n": ["10:3 <i>", "10:27 <i>"],
    "A lone </div> end.\n": ["10:8 </div>"],
    "Text.\n\n<script>\nalert(1)\n</script>\n": ["12:1 <script>"],
    "Text.<!-- hidden -->\n\n<!--\nhidden\n-->\n": ["10:6 comment", "12:1 comment"],
    "Text <?php echo ?> and\n\n<!DOCTYPE html>\n": ["10:6 declaration", "12:1 declaration"],
    "Press <kbd>Ctrl</kbd>; x<sub>1</sub><sup>2</sup><br>\n": [],
    "`<i>`, `<!-- x -->`, \\<i>, $a <?b> c$\n\n```html\n<i> <!-- x --> <?x?>\n```\n": [],
}


@pytest.mark.parametrize("text", RAW, ids=range(len(RAW)))
def test_raw_html_is_found_in_the_source(look: Look, text: str) -> None:
    found = [f for f in look({"caches/rows.md": text}) if f.code == "PN604"]
    shown = [
        f"{f.line}:{f.column} {f.message.split()[2 if '<' in f.message else 1]}" for f in found
    ]
    assert [s.replace("HTML", "declaration") for s in shown] == RAW[text]


def test_pages_of_the_site_may_hold_comments(look: Look) -> None:
    found = look({"../docs/index.md": "<!-- perfnotes:recent -->\n\nA <b>word</b>.\n"})
    assert [(f.path, f.code, f.line) for f in found] == [("docs/index.md", "PN604", 8)]
