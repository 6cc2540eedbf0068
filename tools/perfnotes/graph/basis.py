"""A Basis: everything besides a text itself on which the meaning of its links depends.

After an edit, the links of a text are resolved again only if the text or something that they lead
to is different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from operator import eq
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.graph.binding import Binding
from perfnotes.graph.links import Links
from perfnotes.graph.targets import LinkedText
from perfnotes.model.fact import Facts
from perfnotes.model.library import Library
from perfnotes.model.reference import Reference
from perfnotes.model.result import Result


class Basis(Struct):
    """What the links of all texts of a library depend on.

    ``texts`` (each text by its path), ``aliases`` (by the id of a note) and ``places`` decide to
    which text, term or file a link leads; nothing else does. ``titles`` names notes and terms in
    English, ``zh_titles`` in Chinese. ``anchors`` are the headings of each text.
    """

    texts: Mapping[str, tuple[str, str, str, str]]  # kind, id, language and topic
    aliases: Mapping[str, tuple[str, ...]]
    places: tuple[object, ...]
    titles: dict[str, str]
    zh_titles: dict[str, str]
    anchors: Mapping[tuple[str, str], object]  # by the kind and id of targets, in all languages
    references: Mapping[str, Reference]
    labs: Mapping[str, object]
    results: Mapping[str, Mapping[str, Result]]
    facts: Facts


def basis_of(library: Library, texts: Iterable[LinkedText]) -> Basis:
    """Return what the links of ``texts`` depend on."""
    titles = {n.id: n.meta.title for n in library.notes.values()}
    zh_titles = titles | {t.id: t.meta.title for t in library.translations.values()}
    for term in library.terms.values():
        titles.setdefault(term.id, term.name.en)
        zh_titles.setdefault(term.id, term.name.zh)
    anchors: dict[tuple[str, str], tuple[object, ...]] = {}
    for text in texts:
        title = ""
        if text.kind == "introduction":
            title = library.introductions[text.id].meta.title
        key = ("topic" if text.kind == "introduction" else text.kind, text.id)
        anchors[key] = (*anchors.get(key, ()), text.path, text.body.anchors, title)
    places = (
        library.own,
        {t.id: (t.note, t.spellings("en"), t.spellings("zh")) for t in library.terms.values()},
        frozenset(library.topics),
        frozenset(library.drafts),
        library.assets,
        frozenset(library.page_assets),
    )
    return Basis(
        {t.path: (t.kind, t.id, t.lang, t.topic) for t in texts},
        {n.id: n.meta.aliases for n in library.notes.values()},
        places, titles, zh_titles, anchors, library.references,
        library.labs, library.results, library.facts,
    )  # fmt: skip


class LinkDifference:
    """How two bases differ, and which links that concerns."""

    def __init__(self, before: Basis, now: Basis) -> None:
        self._before, self._now = before, now

    @cached_property
    def has_other_places(self) -> bool:
        """Whether any link of any text may lead elsewhere, so that all are resolved again.

        If only notes of a folder of ours were added, removed or moved, this is False, because
        ``_note_names`` then tells which links may mean one of them.
        """
        before, now = self._before, self._now
        if before.places != now.places or not all(text[0] == "note" for text in self._texts):
            return True
        is_own = before.places[0]
        return not is_own and bool(self._note_names)

    @cached_property
    def _texts(self) -> set[tuple[str, str, str, str]]:
        """The texts that were added, removed or moved, as they were and as they are."""
        before, now = self._before.texts, self._now.texts
        both = (texts.get(path) for path in _changed(before, now) for texts in (before, now))
        return {text for text in both if text}

    @cached_property
    def _note_names(self) -> set[str]:
        """Every name of the notes that were added or removed, or whose aliases differ."""
        before, now = self._before.aliases, self._now.aliases
        ids = {id for _, id, _, _ in self._texts} | _changed(before, now)
        aliases = (known.get(id, ()) for id in ids for known in (before, now))
        return {*ids, *(id.rpartition("/")[2] for id in ids), *chain.from_iterable(aliases)}

    @cached_property
    def has_other_evidence(self) -> bool:
        """Whether any fact, lab or result is different."""
        return bool(self.labs or self.facts)

    @cached_property
    def facts(self) -> set[str]:
        """The ids of the facts that differ, or whose formula uses one, or whose entity differs."""
        old, new = self._before.facts, self._now.facts
        if old is new:
            return set()
        found = _changed(old.by_id, new.by_id, same_but_for("place", "source_place"))
        entities = _changed(_heads(old), _heads(new))
        both = [*old.by_id.values(), *new.by_id.values()]
        found |= {fact.id for fact in both if fact.entity in entities}
        size = -1
        while size < len(found):
            size = len(found)
            found |= {fact.id for fact in both if not found.isdisjoint(fact.inputs.values())}
        return found

    @cached_property
    def labs(self) -> set[str]:
        """The ids of the labs that were added or removed, or whose files or results differ."""
        before, now = self._before, self._now
        return {
            *_changed(before.labs, now.labs),
            *_changed(before.results, now.results, _is_same_file),
        }

    @cached_property
    def references(self) -> set[str]:
        before, now = self._before.references, self._now.references
        return _changed(before, now, same_but_for("offset"))

    @cached_property
    def _titles(self) -> set[str]:
        before, now = self._before, self._now
        return {
            *_changed(before.titles, now.titles),
            *_changed(before.zh_titles, now.zh_titles),
        }

    @cached_property
    def _anchors(self) -> set[tuple[str, str]]:
        return _changed(self._before.anchors, self._now.anchors)

    @cached_property
    def _has_any_change(self) -> bool:
        different = (self._titles, self._anchors, self.references, self._note_names)
        return self.has_other_places or self.has_other_evidence or any(different)

    def concerns(self, links: Links) -> bool:
        """Whether the links of a text may mean something else than before."""
        if self.has_other_places:
            return True
        if links.findings:  # their hints name what is there
            return self._has_any_change
        if self.references:
            # A text may name a key that no reference had before, and that is a citation now.
            all_known = len(links.citations) == len(links.text.body.document.citations)
            if not all_known or not self.references.isdisjoint(links.cited):
                return True
        if self._note_names and self._may_name_a_note(links):
            return True
        if self._titles or self._anchors:
            for target in links.targets:
                if target.id in self._titles or (target.kind, target.id) in self._anchors:
                    return True
            if links.text.id in self._titles:
                return True
        return self.has_other_evidence and any(map(self._has_changed, links.bindings))

    def _may_name_a_note(self, links: Links) -> bool:
        """Whether one of the links may mean a note by one of ``_note_names``."""
        names = self._note_names
        called = (wiki.target.partition("#")[0].strip() for wiki, _ in links.wikis)
        leading = any(each.kind == "none" or each.id in names for each in links.targets)
        return leading or not names.isdisjoint(called)

    def _has_changed(self, binding: Binding) -> bool:
        """Whether the value that a binding's address names may be different."""
        found = binding.found
        if found.lab is not None:
            # An address may name a lab by the last part of its id, which a new lab may share.
            same = self._before.labs.keys() == self._now.labs.keys()
            return not same or found.lab.id in self.labs
        return found.fact is None or found.fact.id in self.facts


def same_but_for(*places: str) -> Callable[[Any, Any], bool]:
    """Return a function that compares two entries of a table, except for the fields ``places``."""
    nowhere = dict.fromkeys(places, 0)
    return lambda one, other: bool(replace(one, **nowhere) == replace(other, **nowhere))


def _is_same_file(one: Mapping[str, Result], other: Mapping[str, Result]) -> bool:
    """Whether the result files of a lab have the same text. The files are published as they are."""
    texts = [[r.source and r.source.text for r in each.values()] for each in (one, other)]
    return one == other and texts[0] == texts[1]


def _changed(
    before: Mapping[Any, Any], now: Mapping[Any, Any], is_same: Callable[[Any, Any], bool] = eq
) -> set[Any]:
    """The keys whose values differ, or that only one of the two has."""
    return {*changed_keys(before, now, is_same)}


def changed_keys(
    before: Mapping[Any, Any], now: Mapping[Any, Any], is_same: Callable[[Any, Any], bool] = eq
) -> Iterator[Any]:
    """Yield the keys whose values differ, or that only one of the two has, in their order."""
    if before is now:
        return
    for key in dict.fromkeys((*before, *now)):
        if (
            key not in before
            or key not in now
            or (before[key] is not now[key] and not is_same(before[key], now[key]))
        ):
            yield key


def _heads(facts: Facts) -> dict[str, object]:
    """Return by entity its name, kind and year, which pages show, and the file that holds it."""
    return {
        entity.id: (entity.name, entity.kind, entity.year, file.id)
        for file in facts.files.values()
        for entity in file.entities.values()
    }
