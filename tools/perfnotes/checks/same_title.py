"""PN206: two notes with the same title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.checks._rule import Rule
from perfnotes.findings import Finding, Severity
from perfnotes.note import Note
from perfnotes.site import Site
from perfnotes.translation import Translation

RULE = Rule(
    code="PN206",
    severity=Severity.ERROR,
    title="Two notes with the same title",
    why=(
        "In lists, search results and links a note is known by its title alone. Two that differ "
        "in nothing, or in upper and lower case only, cannot be told apart there. Say in the "
        "title what sets the note apart."
    ),
    wrong={"caches/rows.md": "---\ntitle: Cache Lines\n---\n"},
    right={"caches/rows.md": "---\ntitle: Cache lines and the order of loops\n---\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Titles, in either language, that an earlier note has already."""
    library = site.library
    yield from _repeated(site, library.notes.values())
    yield from _repeated(site, library.translations.values())


def _repeated(site: Site, notes: Iterable[Note] | Iterable[Translation]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for note in notes:
        other = first.setdefault(note.meta.title.casefold(), note.file)
        if other != note.file:
            message = f"{site.library.shown(other)} has the title {note.meta.title!r} as well"
            offset = note.meta.place("title")
            hint = "say in the title what sets this note apart"
            yield note.body.source.finding(offset, RULE.code, message, hint)
