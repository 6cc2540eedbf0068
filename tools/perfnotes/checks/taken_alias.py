"""PN210: an alias that leads elsewhere already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.findings import Finding, Severity
from perfnotes.site import Site

RULE = Rule(
    code="PN210",
    severity=Severity.ERROR,
    title="An alias that is taken",
    why=(
        "An alias is an old id that leads on to the note, or a word by which `[[…]]` and search "
        "find it. If another note has that name, or the same alias, links by it would lead to one "
        "of the two by chance. Phrases with a space only help search, and notes may share them."
    ),
    wrong={
        "caches/lines.md": "---\naliases: [spatial-locality]\n---\n",
        "caches/rows.md": "---\naliases: [spatial-locality]\n---\n",
    },
    right={
        "caches/lines.md": "---\naliases: [spatial-locality]\n---\n",
        "caches/rows.md": "---\naliases: [row-major]\n---\n",
    },
)

_LINKABLE = re.compile(r"[\w.+,@~-]+(?:/[\w.+,@~-]+)*$")


def find(site: Site) -> Iterator[Finding]:
    """Aliases that a wiki link could mean and that another note has for id, slug or alias."""
    notes = site.library.notes
    owners = {alias: note.id for note in reversed(notes.values()) for alias in note.meta.aliases}
    slugs = {note.slug: note.id for note in notes.values()}
    for note in notes.values():
        for i, alias in enumerate(note.meta.aliases):
            if not _LINKABLE.match(alias):
                continue
            message = ""
            if alias == note.id:
                message = f"{alias!r} is the note's own id"
            elif alias in notes:
                message = f"{alias!r} is the id of another note"
            elif slugs.get(alias, note.id) != note.id:
                message = f"the alias {alias!r} would take links from {slugs[alias]!r}"
            elif owners[alias] != note.id:
                message = f"{owners[alias]!r} has the alias {alias!r} as well"
            if message:
                offset = note.meta.place("aliases", i)
                hint = "remove it, or choose another name"
                yield note.body.source.finding(offset, RULE.code, message, hint)
