"""What differs between two states of a site, as Names.

Page kinds say by the same Names what their pages show. So a page may be different if one of its
Names is among those that differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import chain

from msgspec.structs import replace

from perfnotes.checks import FindingsByText, examine_texts, examine_texts_again
from perfnotes.graph.basis import LinkDifference, changed_keys, same_but_for
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.site.changed_texts import text_changes
from perfnotes.site.navigation import is_same_navigation
from perfnotes.site.page_plan import ANYTHING, BEYOND_TEXTS, FRONT_MATTER_IN, OF_TEXTS, Name
from perfnotes.storage.digests import digest

Version = Note | Translation

_NAMED = (
    "notes", "translations", "tags", "references", "annotations", "terms", "labs", "results",
    "calculators", "facts", "reviews", "introductions",
)  # fmt: skip
"""The tables of a library in which each entry has a name of its own."""

_TABLES = {
    "latency": "latency",
    "symptom_index": "symptoms",
    "tools": "tools",
    "wanted": "wanted",
}
"""The tables that have a single name, ``table`` with this word, by the field of the library."""

_NOT_WHOLE = ("findings", "sources")
"""The fields that are not compared as a whole: no page shows the findings of reading, and sources
are compared one by one."""

_APART = ("tags", "symptoms", "asked")
"""The fields of front matter that are named apart from the rest, since few pages show them."""

_TRANSLATED = ("title", "description", "aliases")
"""The fields of front matter of which pages in a translation's language show the translation's."""

_IN_NOTE_FOLDERS = ("text", "note", *_APART, "review", "calculators")
"""The kinds of names that say that something in the folder of a note differs."""

_OF_NOTES = {
    *OF_TEXTS,
    *ANYTHING,
    *BEYOND_TEXTS,
    "note",
    FRONT_MATTER_IN,
    *_APART,
    "links",
    "headings",
    "terms",
    "tools",
}
"""The kinds of names for parts of notes. After a change of other things (tables, references, terms,
labs, facts) some checks look again at texts that have not changed."""


def changed_names(before: Site, now: Site) -> frozenset[Name] | None:
    """Return the names of everything that differs, or None if every page may be different.

    Both sites have the same settings and history.
    """
    changed = changed_values(before, now)
    return None if changed is None else with_summaries(changed)


def with_summaries(names: Iterable[Name]) -> frozenset[Name]:
    """Add the names that sum up others: ``("note", id)``, ``BEYOND_TEXTS`` and ``ANYTHING``."""
    found = {*names}
    found |= {("note", name[2]) for name in found if name[0] == FRONT_MATTER_IN}
    if any(name[0] not in OF_TEXTS for name in found):
        found.add(BEYOND_TEXTS)
    return frozenset({*found, ANYTHING} if found else found)


def names_between(then: Mapping[Name, str], now: Mapping[Name, str]) -> frozenset[Name]:
    """Return the names of what differs between two states of a site.

    ``then`` and ``now`` are what ``changed_values`` returned for them, both compared with the same
    earlier state.
    """
    names = dict.fromkeys((*then, *now))
    return with_summaries(name for name in names if then.get(name) != now.get(name))


def changed_values(before: Site, now: Site) -> dict[Name, str] | None:
    """Return the name of each thing that differs, with a digest of the thing in ``now``.

    Returns None if every page may be different.
    """
    values: dict[Name, list[str]] = {}
    old, new = before.library, now.library
    for each in fields(Library):
        if each.name in (*_NAMED, *_NOT_WHOLE):
            continue
        if getattr(old, each.name) != getattr(new, each.name):
            if each.name not in _TABLES:
                return None
            values[(f"table {_TABLES[each.name]}",)] = [repr(getattr(new, each.name))]
    for name in changed_keys(old.sources, new.sources):
        values.setdefault((f"table {name}",), []).append(repr(new.sources.get(name)))
    if old.languages != new.languages or old.main_language != new.main_language:
        return None
    assert before.graph.basis
    assert now.graph.basis
    difference = LinkDifference(before.graph.basis, now.graph.basis)
    for key, value in chain(_of_entries(old, new, difference), text_changes(before, now)):
        values.setdefault(key, []).append(repr(value))
    is_of_texts = all(name[0] in OF_TEXTS for name in values)
    if not is_of_texts and not is_same_navigation(before, now):
        return None
    return {name: digest(*sorted(found)) for name, found in values.items()}


def findings_in_texts(
    before: Site | None, now: Site, known: FindingsByText, changed: frozenset[Name] | None
) -> FindingsByText:
    """Return what the checks find in each text of the site ``now``.

    ``known`` is what they found in those of the site ``before``. ``changed`` are the names of what
    differs, or None if anything may.
    """
    if before is None or changed is None:
        return examine_texts(now)
    of_notes = {name[1] for name in changed if name[0] in _IN_NOTE_FOLDERS}
    paths = {
        path
        for path, links in now.graph.links.items()
        if (links.text.kind == "note" and links.text.id in of_notes)
        or links is not before.graph.links.get(path)
    }
    kinds = frozenset(str(name[0]) for name in changed) - _OF_NOTES
    labs = None  # labs came or went: an address that led nowhere may lead to a new lab
    if before.library.labs.keys() == now.library.labs.keys():
        labs = {str(name[1]) for name in changed if name[0] == "lab"}
    return examine_texts_again(now, known, paths, kinds, labs)


def _of_entries(
    old: Library, new: Library, difference: LinkDifference
) -> Iterator[tuple[Name, object]]:
    """Yield the names of the entries that differ, each with the entry as it is now."""
    for table in ("notes", "translations"):
        one, other = getattr(old, table), getattr(new, table)
        for id in changed_keys(one, other, _is_same_but_for_body):
            own = _languages(old, id) & _languages(new, id)
            for name, value in _of_front_matter(one.get(id), other.get(id), new.languages, own):
                yield (*name, id), (table, value)
    for table, kind in {
        "tags": "tag",
        "calculators": "calculators",
        "annotations": "reference",
        "introductions": "introduction",
        "reviews": "review",
    }.items():
        for id in changed_keys(getattr(old, table), getattr(new, table)):
            yield (kind, id), (table, getattr(new, table).get(id))
    for id in changed_keys(old.terms, new.terms, same_but_for("offset", "note_offset")):
        yield ("term", id), new.terms.get(id)
    for key in difference.references:
        yield ("reference", key), new.references.get(key)
    yield from _of_evidence(old, new, difference)


def _of_evidence(
    old: Library, new: Library, difference: LinkDifference
) -> Iterator[tuple[Name, object]]:
    """Yield the names of the labs and facts that differ, each with what it is made from now."""
    facts = digest(*(file.source.text for file in new.facts.files.values()))
    for id in difference.labs:
        results = new.results.get(id, {}).items()
        texts = [(machine, result.source and result.source.text) for machine, result in results]
        lab = new.labs.get(id), texts
        yield ("lab", id), lab
        yield ("evidence",), (id, lab)
    # The value of a fact depends on other facts.
    for id in difference.facts:
        yield ("fact", id), facts
    for name in changed_keys(old.facts.files, new.facts.files):
        yield ("facts", name), facts
    if difference.facts:
        yield ("evidence",), facts


def _is_same_but_for_body(one: Version, other: Version) -> bool:
    return (one.meta, one.file) == (other.meta, other.file)


def _languages(library: Library, id: str) -> set[str]:
    """Return the languages in which a note has a title of its own."""
    versions = (library.notes.get(id), library.translations.get(id))
    return {version.lang for version in versions if version}


def _of_front_matter(
    old: Version | None, new: Version | None, languages: Iterable[str], own: Collection[str]
) -> Iterator[tuple[Name, object]]:
    """Yield what differs in the front matter of a note: names without the note's id, and values.

    ``own`` are the languages in which the note has a title of its own, before and now.
    """
    if old is not None and new is not None:
        for key in _APART:
            value = getattr(new.meta, key)
            if getattr(old.meta, key) != value:
                yield (key,), value
    for lang in languages:
        before, now = (version and _front_matter(version, lang, own) for version in (old, new))
        if before != now:
            yield (FRONT_MATTER_IN, lang), now


def _front_matter(version: Version, lang: str, own: Collection[str]) -> object:
    """Return a note's file and the front matter that pages in ``lang`` show.

    ``own`` are the languages in which the note has a title. The fields ``_APART`` are left out. So
    are the fields ``_TRANSLATED`` of a text in another language, if ``lang`` is one of ``own``.
    """
    apart = (*_APART, *_TRANSLATED) if lang != version.lang and lang in own else _APART
    return version.file, replace(version.meta, **dict.fromkeys(apart, ()), places={})
