"""Front matter and titles of other people's notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.model.note import Meta
from perfnotes.source.read import frontmatter
from perfnotes.source.read.foreign_folder import first_title
from perfnotes.text.body import read_body
from perfnotes.text.source import Source
from tests.foreign_folder import one


@pytest.mark.parametrize(
    ("head", "title", "text"),
    [
        ("---\ntitle: 'A: b'\nlayout: page\n---\n", "A: b", ""),
        ("---\r\ntitle: A\r\n---\r\n", "A", ""),
        ("\ufeff---\ntitle: A\n---\n", "A", ""),
        ("---\n# a comment\ntitle: A\n---\n", "A", ""),
        ("---\n---\n", "N", ""),
        ("+++\ntitle = 'A'\ndate = 2024-01-02\n+++\n", "A", ""),
        ("---\ntitle: {a: b}\ntags: 5\naliases: {x: y}\n---\n", "N", ""),
        ("---\n\nbetween\n\n---\n\n", "N", "between"),
        ("---\ntitle: never closed\n\n", "N", "never closed"),
        ("---\n- a: b\n- c\n---\n", "N", "a: b"),
        ("---\ntitle: [x\n---\n", "N", ""),
    ],
)
def test_front_matter_of_any_system(tmp_path: Path, head: str, title: str, text: str) -> None:
    folder = one(tmp_path, f"{head}The body.\n")
    note = next(n for n in folder.site.library.notes.values() if n.file == "n.md")
    assert note.meta.title == title
    assert "The body." in folder.text("n.md")
    assert text in folder.text("n.md")


@pytest.mark.parametrize("head", ["---\ntags: [{}]\n---\n", "+++\ntags = [{}]\n+++\n"])
def test_a_note_has_no_more_tags_than_people_give(head: str) -> None:
    tags = ", ".join(f'"t{i}"' for i in range(130))
    source = Source("n.md", head.format(tags))
    meta, _, [finding] = frontmatter.read(source, "note", lenient=True)
    assert meta.tags == tuple(f"t{i}" for i in range(100))
    assert finding.message == "130 tags, of which the first 100 are used"


@pytest.mark.parametrize(
    ("head", "lenient"),
    [
        ("---\naliases: [{}]\n---\n", False),
        ("---\naliases: [{}]\n---\n", True),
        ("+++\naliases = [{}]\n+++\n", True),
    ],
)
def test_a_front_matter_that_is_a_book_long_is_not_read(head: str, *, lenient: bool) -> None:
    """Each of 100,000 names would be indexed and compared with the names of other notes."""
    for count, is_read in ((500, True), (10_000, False)):
        names = ", ".join(f'"a{i}"' for i in range(count))
        source = Source("n.md", f"{head.format(names)}text\n")
        meta, start, findings = frontmatter.read(source, "note", lenient=lenient)
        assert len(meta.aliases) == (count if is_read else 0)
        assert source.text[start:] == "text\n"
        too_long = [f for f in findings if "more than the 50,000 that are read" in f.message]
        assert [f.code for f in too_long] == ([] if is_read else ["PN202"])


def test_a_long_text_between_two_rules_is_no_front_matter() -> None:
    source = Source("n.md", "---\n" + "a text\n" * 10_000 + "\na: b\n\n---\n")
    assert frontmatter.read(source, "note", lenient=True) == (Meta(title=""), 0, [])


def test_a_heading_that_is_a_page_long_is_no_title() -> None:
    assert first_title(read_body(Source("n.md", "# A title\n"))) == "A title"
    assert not first_title(read_body(Source("n.md", f"# {'a # ' * 100}\n")))


def test_an_empty_front_matter_lacks_its_keys() -> None:
    meta, start, findings = frontmatter.read(Source("n.md", "---\n---\nA\n"), "note", lenient=False)
    assert (meta.title, start) == ("", 8)
    assert {finding.code for finding in findings} == {"PN202"}
