"""The text that results show: plain words without any Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.search.blocks import without_markup
from perfnotes.search.document import LONGEST_HEADING, split
from perfnotes.site.searchable.documents import documents
from tests.example_notes import read_site, write_notes

TABLE = """| tool | sees |
|:--|--:|
| `a|b` | **x** \\| y |
|  | [it](https://example.org) |
"""


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("nothing special", "nothing special"),
        ("a **bold** and _slanted_ `co|de` word", "a bold and slanted co|de word"),
        ("see [[caches/rows|the rows]] and [this](x.md)", "see the rows and this"),
        ("- one\n- two", "one two"),
        (f"before\n\n{TABLE}\nafter", "before tool · sees; a|b · x | y; it. after"),
        ("> | a | b |\n> |---|---|\n> | c | d |", "a · b; c · d."),
        ("| not | a table", "| not | a table"),
    ],
)
def test_markdown_becomes_plain_words(markdown: str, text: str) -> None:
    assert " ".join(without_markup(markdown).split()) == text


def test_tables_of_notes_are_found_and_shown_as_words(tmp_path: Path) -> None:
    note = f"---\ntitle: Tools\ndescription: What `each` sees.\n---\n\nLead.\n\n## Table\n\n{TABLE}"
    write_notes(tmp_path, {"caches/tools.md": note})
    (tools,) = (d for d in documents(read_site(tmp_path)) if d.id == "caches/tools")
    said = [(b.heading, b.text) for b in tools.blocks]
    assert said == [("", "What each sees. Lead."), ("Table", "tool · sees; a|b · x | y; it.")]


def test_a_heading_that_nobody_would_read_is_indexed_as_text() -> None:
    """A page has only so much text in the index, but headings of any length would come on top."""
    heading = " ".join(f"word{i}" for i in range(1000))
    first, *others = split("a", heading, "The text.", "")
    assert len(first.heading) <= LONGEST_HEADING
    assert all(not block.heading for block in others)
    said = " ".join((first.heading, first.text, *(block.text for block in others)))
    assert said == f"{heading} The text."


def test_a_part_of_a_long_section_does_not_begin_within_a_citation() -> None:
    sentence = "缓存行在两个核心之间来回移动，每一次移动都要等待对方。"
    cited = "核心可以连续写许多次 （McKenney 2023，app. Why Memory Barriers?, sec. Cache）。"
    parts = [block.text for block in split("moves", "代价", sentence * 19 + cited, "")]
    assert len(parts) == 2
    assert parts[1] == cited
