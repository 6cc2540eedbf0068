"""What differs between two states of a site, as the Names by which pages say what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import is_

from msgspec.structs import replace

from perfnotes.checks import FindingsByText, examine_texts, examine_texts_again
from perfnotes.graph.basis import Difference, changed_keys, same_but_for
from perfnotes.graph.coverage import share
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.links import Edge, Links
from perfnotes.graph.site import Site
from perfnotes.graph.tools import tool_commands, uses_in
from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.site.navigation import is_same_navigation
from perfnotes.site.page_plan import ANYTHING, BEYOND_TEXTS, OF_TEXTS, Name

Version = Note | Translation

_NAMED = (
    "notes", "translations", "tags", "references", "annotations", "terms", "labs", "results",
    "calculators", "facts", "reviews", "introductions",
)  # fmt: skip
"""The tables of a library whose entries have names."""

_TABLES = {
    "latency": "latency",
    "symptom_index": "symptoms",
    "tools": "tools",
    "wanted": "wanted",
}
"""The tables that have one name for the whole of them, by the field of the library."""

_ELSEWHERE = ("findings", "sources")

_APART = ("tags", "symptoms")
"""The fields of front matter with a kind of names of their own, since few pages show them."""

_OF_NOTES = ("text", "note", *_APART, "review", "calculators")
"""The kinds of names that say that something in the folder of a note differs."""

_NO_TABLES = {
    *OF_TEXTS,
    *ANYTHING,
    *BEYOND_TEXTS,
    "note",
    *_APART,
    "links",
    "headings",
    "terms",
    "tools",
}
"""The kinds of names that say nothing of tables, references, terms, labs and facts."""


def changed_names(before: Site, now: Site) -> frozenset[Name] | None:
    """Return the names of all that differs; None if every page may be different.

    Both sites have the same settings and history.
    """
    names: set[Name] = set()
    old, new = before.library, now.library
    for each in fields(Library):
        if each.name in (*_NAMED, *_ELSEWHERE):
            continue
        if getattr(old, each.name) != getattr(new, each.name):
            if each.name not in _TABLES:
                return None
            names.add((f"table {_TABLES[each.name]}",))
    names.update((f"table {name}",) for name in changed_keys(old.sources, new.sources))
    if old.languages != new.languages or old.main_language != new.main_language:
        return None
    assert before.graph.basis
    assert now.graph.basis
    names.update(_of_entries(old, new, Difference(before.graph.basis, now.graph.basis)))
    names.update(_of_texts(before, now))
    if names:
        names.add(ANYTHING)
    if any(name[0] not in OF_TEXTS for name in names - {ANYTHING}):
        if not is_same_navigation(before, now):
            return None
        names.add(BEYOND_TEXTS)
    return frozenset(names)


def findings_in_texts(
    before: Site | None, now: Site, known: FindingsByText, changed: frozenset[Name] | None
) -> FindingsByText:
    """Return what the checks find in each text of the site ``now``.

    ``known`` is what they found in those of the site ``before``. ``changed`` are the names of what
    differs, or None if anything may.
    """
    if before is None or changed is None:
        return examine_texts(now)
    of_notes = {name[1] for name in changed if name[0] in _OF_NOTES}
    paths = {
        path
        for path, links in now.graph.links.items()
        if (links.text.kind == "note" and links.text.id in of_notes)
        or links is not before.graph.links.get(path)
    }
    return examine_texts_again(now, known, paths, {str(name[0]) for name in changed} - _NO_TABLES)


def _of_entries(old: Library, new: Library, evidence: Difference) -> Iterator[Name]:
    """Yield the names of the entries that differ."""
    for table in ("notes", "translations"):
        one, other = getattr(old, table), getattr(new, table)
        for id in changed_keys(one, other, _is_same_but_for_body):
            yield from ((kind, id) for kind in _of_front_matter(one.get(id), other.get(id)))
    for table, kind in {
        "tags": "tag",
        "calculators": "calculators",
        "annotations": "reference",
        "introductions": "introduction",
        "reviews": "review",
    }.items():
        for id in changed_keys(getattr(old, table), getattr(new, table)):
            yield kind, id
    for id in changed_keys(old.terms, new.terms, same_but_for("offset", "note_offset")):
        yield "term", id
    yield from (("reference", key) for key in evidence.references)
    yield from (("lab", id) for id in evidence.labs)
    yield from (("fact", id) for id in evidence.facts)
    yield from (("facts", file) for file in changed_keys(old.facts.files, new.facts.files))
    if evidence.has_other_evidence:
        yield ("evidence",)


def _is_same_but_for_body(one: Version, other: Version) -> bool:
    return (one.meta, one.file) == (other.meta, other.file)


def _of_front_matter(old: Version | None, new: Version | None) -> Iterator[str]:
    """Yield the kinds of what differs of a note besides its text."""
    if old is None or new is None:
        yield "note"
        return
    apart = [key for key in _APART if getattr(old.meta, key) != getattr(new.meta, key)]
    yield from apart
    meta = replace(old.meta, **{key: getattr(new.meta, key) for key in apart})
    if (meta, old.file) != (new.meta, new.file):
        yield "note"


def _of_texts(before: Site, now: Site) -> Iterator[Name]:
    """Yield the names of what differs in the texts of notes."""
    old, new = before.graph.links, now.graph.links
    for path in changed_keys(old, new, is_):
        one, other = old.get(path), new.get(path)
        text = (one or other).text  # type: ignore[union-attr]
        if text.kind != "note":
            continue
        if one is None or other is None or one.text.body is not other.text.body:
            yield "text", text.id
        for key in _quoted(one) ^ _quoted(other):
            yield "quotes", key[0]
        if one is None or other is None:
            yield "links", text.id
            continue
        if _size(before, one) != _size(now, other):
            yield "size", text.id
        yield from ((kind, text.id) for kind in _fixed(before, one, now, other))


def _quoted(links: Links | None) -> frozenset[tuple[object, ...]]:
    """Return what the pages of edges' targets show: the sentence and the section it stands in."""
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


def _fixed(before: Site, old: Links, now: Site, new: Links) -> Iterator[str]:
    """Yield the kinds of what of a text other pages show besides its sentences, if it differs."""
    if [edge.target for edge in _edges(old)] != [edge.target for edge in _edges(new)]:
        yield "links"
    if old.text.body is new.text.body:
        return
    if _headings(old) != _headings(new):
        yield "headings"
    if _explorables(before, old) != _explorables(now, new):
        yield "explorables"
    if _tools(before, old) != _tools(now, new):
        yield "tools"
    if _terms(before, old) != _terms(now, new):
        yield "terms"


def _headings(links: Links) -> object:
    return [(section.level, section.id, section.title) for section in links.text.body.sections]


def _explorables(site: Site, links: Links) -> object:
    found = placed_explorables(links, site.graph.evidence)
    return [(each.name, each.problem) for each in found]


def _tools(site: Site, links: Links) -> object:
    return uses_in(links.text, site.derived(tool_commands))


def _terms(site: Site, links: Links) -> object:
    uses = site.term_finders[links.text.lang].first_uses(links.text.body.document)
    return {use.term for use in uses}
