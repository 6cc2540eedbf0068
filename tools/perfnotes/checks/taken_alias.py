"""PN210: an alias that another note already has as its id, file name or alias."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from perfnotes.checks._pairs import duplicates
from perfnotes.checks._rule import Rule
from perfnotes.graph.resolve import LINKABLE
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN210",
    severity=Severity.ERROR,
    title="An alias that is taken",
    why=(
        "An alias is an old id that still leads to the note, or a word by which `[[…]]` and search "
        "find the note. If another note has that name or the same alias, a link by the alias could "
        "mean either note. Phrases with a space only help search, so notes may share them."
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


def find(site: Site) -> Iterator[Finding]:
    """Aliases that a wiki link could use and that are another note's id, slug or alias.

    Each is reported at both notes. An alias that is its own note's id is reported too.
    """
    notes = site.library.notes
    slugs = {note.slug: note for note in notes.values()}
    linkable = [
        _Alias(note, i, alias)
        for note in notes.values()
        for i, alias in enumerate(note.meta.aliases)
        if LINKABLE.fullmatch(alias)
    ]
    for each in linkable:
        note, alias = each.note, each.alias
        other = notes.get(alias) or slugs.get(alias, note)
        if alias == note.id:
            yield each.finding(f"{alias!r} is the note's own id")
        elif other is not note:
            if alias == other.id:
                yield each.finding(f"{alias!r} is the id of another note")
            else:
                yield each.finding(f"the alias {alias!r} would take links from {other.id!r}")
            message = f"{note.id!r} has the alias {alias!r}, which would take links from this note"
            hint = "rename this note, or take the alias from the other"
            yield other.body.source.finding(0, RULE.code, message, hint)
    free = (each for each in linkable if each.alias not in notes and each.alias not in slugs)
    for each, another in duplicates(free, lambda each: each.alias):
        if another.note is not each.note:
            yield each.finding(f"{another.note.id!r} has the alias {each.alias!r} as well")


class _Alias(Struct, frozen=True):
    """An alias and the note that has it."""

    note: Note
    index: int  # among the note's aliases
    alias: str

    def finding(self, message: str) -> Finding:
        offset = self.note.meta.place("aliases", self.index)
        hint = "remove it, or choose another name"
        return self.note.body.source.finding(offset, RULE.code, message, hint)
