"""What differs in the texts of notes between two states of a site, as Names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import is_

from perfnotes.graph.basis import changed_keys
from perfnotes.graph.coverage import share
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.links import Edge, Links
from perfnotes.graph.site import Site
from perfnotes.graph.tools import tool_commands, uses_in
from perfnotes.site.page_plan import Name


def text_changes(before: Site, now: Site) -> Iterator[tuple[Name, object]]:
    """Yield the names of what differs in the texts of notes, each with its value in ``now``."""
    old, new = before.graph.links, now.graph.links
    for path in changed_keys(old, new, is_):
        one, other = old.get(path), new.get(path)
        text = (one or other).text  # type: ignore[union-attr]
        if text.kind != "note":
            continue
        if one is None or other is None or one.text.body is not other.text.body:
            yield ("text", text.id), (path, other and other.text.body.source.text)
        quoted = _quoted(other)
        for target in {key[0] for key in _quoted(one) ^ quoted}:
            yield ("quotes", target), (path, sorted(key for key in quoted if key[0] == target))
        if one is None or other is None:
            yield ("links", text.id), (path, other is None)
            continue
        size = _size(now, other)
        if _size(before, one) != size:
            yield ("size", text.id), (path, size)
        for kind, value in _shown_elsewhere(before, one, now, other):
            yield (kind, text.id), (path, value)


def _quoted(links: Links | None) -> frozenset[tuple[object, ...]]:
    """Return what the pages to which a text leads quote of it: its sentences, with their sections.

    Each is a target, a sentence, its section's id and title, and a number to tell equal ones apart.
    """
    if links is None:
        return frozenset()
    seen: Counter[tuple[object, ...]] = Counter()

    def quote(edge: Edge) -> tuple[object, ...]:
        section = links.text.body.section_at(edge.offset)
        where = (section.id, section.title) if section else ("", "")
        shown = (edge.target, edge.sentence, *where)
        seen[shown] += 1
        return (*shown, seen[shown])

    return frozenset(quote(edge) for edge in _edges(links))


def _edges(links: Links) -> Iterable[Edge]:
    return (*links.edges, *links.citing)


def _size(site: Site, links: Links) -> object:
    coverage = site.coverages.get(links.text.path)
    return links.text.body.minutes, share(coverage.judged) if coverage else None


def _shown_elsewhere(
    before: Site, old: Links, now: Site, new: Links
) -> Iterator[tuple[str, object]]:
    """Yield the kind and the value of each part of a text that differs and that other pages show.

    Sentences are not among these parts.
    """
    leading = [edge.target for edge in _edges(new)]
    if [edge.target for edge in _edges(old)] != leading:
        yield "links", leading
    if old.text.body is new.text.body:
        return
    for kind, shown in _SHOWN_ELSEWHERE.items():
        value = shown(now, new)
        if shown(before, old) != value:
            yield kind, value


def _headings(site: Site, links: Links) -> object:
    del site
    return [(section.level, section.id, section.title) for section in links.text.body.sections]


def _explorables(site: Site, links: Links) -> object:
    found = placed_explorables(links, site.graph.evidence)
    return [(each.name, each.problem) for each in found]


def _tools(site: Site, links: Links) -> object:
    return uses_in(links.text, site.derived(tool_commands))


def _terms(site: Site, links: Links) -> object:
    uses = site.term_finders[links.text.lang].first_uses(links.text.body)
    return sorted({use.term for use in uses})


_SHOWN_ELSEWHERE: dict[str, Callable[[Site, Links], object]] = {
    "headings": _headings,
    "explorables": _explorables,
    "tools": _tools,
    "terms": _terms,
}
