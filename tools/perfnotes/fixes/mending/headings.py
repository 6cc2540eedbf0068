"""Repairs of headings of level 1 and of headings that skip a level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair

MENDS = {
    "PN501": "moves all headings of the text down, unless the first repeats the title",
    "PN502": "raises a heading, and those below it, so that no level is skipped",
}
_DEEPEST = 6


def find(site: Site) -> Iterator[Repair]:
    """Headings written with ``#`` whose level differs from their depth in the outline."""
    if not site.library.own:
        return
    titles = {t.note.id: t.meta.title for t in site.library.translations.values()}
    for links in site.graph.links.values():
        body, path = links.text.body, links.text.body.source.path
        note = site.library.notes.get(links.text.id)
        own_titles = {note.meta.title if note else "", titles.get(links.text.id, "")}
        first = body.sections[0] if body.sections else None
        if first and first.level == 1 and first.title in own_titles:
            continue  # a person should remove this heading and the links to it
        levels = [s.level for s in body.sections]
        wanted = outline(levels)
        text = body.source.text
        marks = [text.find("#", s.start, s.heading.text_start) for s in body.sections]
        changed = [i for i, level in enumerate(levels) if level != wanted[i]]
        if max(wanted, default=0) > _DEEPEST or any(marks[i] < 0 for i in changed):
            continue
        for i in changed:
            end = marks[i] + levels[i]
            if text[marks[i] : end] == "#" * levels[i]:
                yield Repair(path, marks[i], end, text[marks[i] : end], "#" * wanted[i])


def outline(levels: Sequence[int]) -> list[int]:
    """The levels that the headings should have: from level 2 on, without skipping one."""
    above = [(0 if 1 in levels else 1, 1)]  # headings around this one: (level as written, wanted)
    wanted = []
    for level in levels:
        while len(above) > 1 and above[-1][0] >= level:
            above.pop()
        above.append((level, above[-1][1] + 1))
        wanted.append(above[-1][1])
    return wanted
