"""PN507: notes in different topics with the same file name."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._pairs import duplicates
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN507",
    severity=Severity.NOTE,
    title="Notes in different topics with the same file name",
    why=(
        "This is allowed, but the short link `[[name]]` no longer says which note is meant, and "
        "links to either note need the whole id. A more specific name keeps links short."
    ),
    wrong={"gpu/rows.md": "A warp reads along a row as well.\n"},
    right={"gpu/coalescing.md": "A warp reads along a row as well.\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """One finding at each note that shares its file name with a note of another topic."""
    for note, other in duplicates(site.library.notes.values(), lambda note: note.slug):
        message = f"[[{note.slug}]] may mean {other.id!r} or {note.id!r}"
        hint = "write whole ids in links, or rename one of the two"
        yield note.body.source.finding(0, RULE.code, message, hint)
