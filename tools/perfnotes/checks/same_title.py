"""PN206: two notes with the same title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.checks._pairs import duplicates
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN206",
    severity=Severity.ERROR,
    title="Two notes with the same title",
    why=(
        "In lists, search results and links, readers know a note by its title. Two titles that are "
        "equal, or differ only in upper and lower case, cannot be told apart there. Say in the "
        "title what sets the note apart."
    ),
    wrong={"caches/rows.md": "---\ntitle: Cache Lines\n---\n"},
    right={"caches/rows.md": "---\ntitle: Cache lines and the order of loops\n---\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """One finding at each note or translation whose title another one has."""
    library = site.library
    yield from _repeated(site, library.notes.values())
    yield from _repeated(site, library.translations.values())


def _repeated(site: Site, notes: Iterable[Note | Translation]) -> Iterator[Finding]:
    """Compare the titles that notes give themselves, not those that stand in for a missing one."""
    titled = [note for note in notes if ("title",) in note.meta.places]
    for note, other in duplicates(titled, lambda note: note.meta.title.casefold()):
        message = f"{site.library.shown(other.file)} has the title {note.meta.title!r} as well"
        offset = note.meta.place("title")
        hint = "say in the title what sets this note apart"
        yield note.body.source.finding(offset, RULE.code, message, hint)
