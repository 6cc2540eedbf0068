"""PN804: a note that no other note links or requires."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN804",
    severity=Severity.NOTE,
    title="A note that no other note links or requires",
    why=(
        "Lists and search show this note, but readers of the other notes do not come across it. "
        "That is not an error. Link the note from another one where that helps the reader."
    ),
    wrong={"caches/columns.md": "Along a column each element lies in another [[lines|line]].\n"},
    right={
        "caches/columns.md": "Along a column each element lies in another [[lines|line]].\n",
        "caches/rows.md": "A C array lies in memory row by row, unlike its [[columns]].\n",
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Notes that no other note links or requires."""
    notes = site.library.notes
    required = {id for note in notes.values() for id in note.meta.requires if id != note.id}
    for note in notes.values():
        if site.graph.inbound.get(note.id) or note.id in required:
            continue
        near = " or ".join(other.id for other in site.related.to(note)[:2])
        hint = f"link it from {near}" if near else "link it where it helps"
        message = "no other note links or requires this one"
        yield note.body.source.finding(0, RULE.code, message, hint)
