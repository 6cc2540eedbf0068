"""PN507: notes in different topics with the same file name."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._pairs import with_another
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN507",
    severity=Severity.NOTE,
    title="Notes in different topics with the same file name",
    why=(
        "That is allowed, but the short link `[[name]]` no longer says which of them is meant, "
        "and links to either need the whole id. A name that says more keeps links short."
    ),
    wrong={"gpu/rows.md": "A warp reads along a row as well.\n"},
    right={"gpu/coalescing.md": "A warp reads along a row as well.\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Notes whose file name a note has in another topic: at each of the notes."""
    for note, other in with_another(site.library.notes.values(), lambda note: note.slug):
        message = f"[[{note.slug}]] may mean {other.id!r} or {note.id!r}"
        hint = "write whole ids in links, or rename one of the two"
        yield note.body.source.finding(0, RULE.code, message, hint)
