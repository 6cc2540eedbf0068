"""The Index: the postings of each term over all documents, and the names that lead to pages.

Documents are added one by one. The postings of a document depend on no other document (see
``impacts``), so every text is read only once.
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct, field

from perfnotes.search.analysis import placed
from perfnotes.search.document import SearchDocument
from perfnotes.search.edited_documents import GONE, EditedDocuments
from perfnotes.search.impacts import postings_of

Shift = tuple[int, int]  # a number of a page, and what was added to get it and all above it
Names = dict[str, dict[str, tuple[str, ...]]]  # first term → key → other names of the same thing


class Exact(Struct):
    """The pages that a name leads to, and the other names of a glossary term."""

    pages: dict[int, int] = field(default_factory=dict)  # page → 0 if it is the title, else 1
    spellings: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()  # the glossary terms with this name


class ChangedTerms(Struct):
    """What other documents change.

    ``terms`` are found on other pages, or with another impact, than before; ``moved`` are those
    that are found on other pages; ``named`` are the first terms of names that lead to other pages.
    ``renumbered`` are the terms of which a page has another number, although it is the same page;
    ``shift`` says how, if it is the same for all these pages.
    """

    terms: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    renumbered: set[str] = field(default_factory=set)
    shift: Shift | None = None


class Index:
    """The index of all documents.

    ``postings`` maps a term to postings packed by ``codec.posting``, sorted by page. A term with a
    single posting, as most have, maps to that integer; the others map to arrays. ``general``
    holds names from the general glossary (see ``general``).
    """

    def __init__(self) -> None:
        self.pages = 0
        self.postings: dict[str, int | array[int]] = {}
        self.names: dict[str, dict[str, Exact]] = {}  # first term → key → pages
        # Each term of headings, titles and other names, and how many documents have it there.
        self.titled: Counter[str] = Counter()
        self.general: Names = {}

    def __getstate__(self) -> dict[str, object]:
        """Pickle the postings as a few strings and arrays, which are read in half the time."""
        return self.__dict__ | {"postings": _packed(self.postings)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {"postings": _unpacked(*state["postings"])}

    def add(self, document: SearchDocument) -> int:
        """Add a document and return its number; numbers count from 0."""
        number = self.pages
        self.pages += 1
        _add_names(self.names, document, number)
        if document.is_copy:
            return number
        found, special = postings_of(document, number)
        self.titled.update(special)
        postings = self.postings
        for term, one in found.items():
            known = postings.get(term)
            if known is None:
                postings[term] = one
            elif isinstance(known, int):
                postings[term] = array("Q", (known, one))
            else:
                known.append(one)
        return number

    def update(self, edited: EditedDocuments, documents: Sequence[SearchDocument]) -> ChangedTerms:
        """Index ``documents`` instead of the earlier ones; ``edited`` says how they differ."""
        changed = ChangedTerms()
        for number, document in edited.gone:
            self._replace(number, document, None, changed)
        first = edited.first_renumbered
        if first < len(edited.numbers):
            changed.shift = edited.shift
            self._renumber(edited, first, changed)
        self.pages = len(documents)
        for number, old, new in edited.made:
            self._replace(number, old, new, changed)
        if not edited.is_in_order:
            self._name_anew(documents, changed)
        else:
            self._rename(edited, documents, changed)
        return changed

    def _replace(
        self,
        number: int,
        before: SearchDocument | None,
        after: SearchDocument | None,
        changed: ChangedTerms,
    ) -> None:
        """Replace document ``number`` by another, except for its names; None is no document."""
        old, old_special = postings_of(before, number) if before else ({}, set[str]())
        new, special = postings_of(after, number) if after else ({}, set[str]())
        terms = {t for t in old.keys() | new.keys() if old.get(t) != new.get(t)}
        for term in terms:
            self._exchange(term, old.get(term), new.get(term))
        self.titled.update(special)
        self.titled.subtract(old_special)
        for term in old_special - special:
            if not self.titled[term]:
                del self.titled[term]
        changed.terms |= terms | (special ^ old_special)
        changed.moved |= old.keys() ^ new.keys()

    def _renumber(self, edited: EditedDocuments, first: int, changed: ChangedTerms) -> None:
        """Give the documents from ``first`` new numbers; those that are gone have no postings."""
        postings, renumbered = self.postings, changed.renumbered
        shifts = [new - old if new != GONE else 0 for old, new in enumerate(edited.numbers)]
        shift = [by << 16 for by in shifts]
        least, is_in_order = first << 16, edited.is_in_order
        for term, known in postings.items():
            if isinstance(known, int):
                if known >= least:
                    postings[term] = known + shift[known >> 16]
                    renumbered.add(term)
            elif known[-1] >= least:
                found = [one + shift[one >> 16] for one in known]
                postings[term] = array("Q", found if is_in_order else sorted(found))
                renumbered.add(term)
        for term, names in self.names.items():
            for exact in names.values():
                if exact.pages and max(exact.pages) >= first:
                    exact.pages = {page + shifts[page]: at for page, at in exact.pages.items()}
                    renumbered.add(term)

    def _name_anew(self, documents: Sequence[SearchDocument], changed: ChangedTerms) -> None:
        """Collect the names of all documents; where they stand in another order, so do names."""
        before, self.names = self.names, {}
        for number, document in enumerate(documents):
            _add_names(self.names, document, number)
        changed.named |= before.keys() | self.names.keys()

    def _rename(
        self,
        edited: EditedDocuments,
        documents: Sequence[SearchDocument],
        changed: ChangedTerms,
    ) -> None:
        """Collect the names anew that lead to documents with other names than before."""
        pairs = [pair for pair in edited.pairs if _named(pair[0]) != _named(pair[1])]
        firsts = {first for pair in pairs for first in _firsts(pair)}
        known = [exact for first in firsts for exact in self.names.get(first, {}).values()]
        pages = {number for number, _, _ in edited.made}
        pages.update(page for exact in known for page in exact.pages)
        groups = {group for exact in known for group in exact.groups}
        names: dict[str, dict[str, Exact]] = {}
        for number, document in enumerate(documents) if firsts else ():
            if number in pages or not groups.isdisjoint(document.groups):
                _add_names(names, document, number, firsts)
        for first in firsts:
            if self.names.get(first) != names.get(first):
                changed.named.add(first)
                self.names.pop(first, None)
                if first in names:
                    self.names[first] = names[first]

    def named(self, term: str) -> dict[str, Exact]:
        """Return the names that begin with a term, by their keys."""
        own, general = self.names.get(term, {}), self.general.get(term)
        if not general:
            return own
        return own | {
            key: Exact(exact.pages, tuple(dict.fromkeys((*exact.spellings, *more))))
            for key, more in general.items()
            for exact in [own.get(key, Exact())]
        }

    def own_terms(self, first: str, key: str) -> tuple[tuple[str, ...], ...]:
        """Return the terms of the folder's own glossary with this name, each as all its names."""
        exact = self.names.get(first, {}).get(key)
        return exact.groups if exact else ()

    def _exchange(self, term: str, old: int | None, new: int | None) -> None:
        known = self.postings.pop(term, ())
        found = [known] if isinstance(known, int) else list(known)
        if old is not None:
            found.remove(old)
        if new is not None:
            insort(found, new)
        if found:
            self.postings[term] = array("Q", found) if len(found) > 1 else found[0]


def _packed(postings: Mapping[str, int | array[int]]) -> tuple[object, ...]:
    """Return the postings as two strings of terms, which have no spaces, and three arrays.

    First the terms with one posting, joined, and their postings; then the terms with several,
    joined, the number of postings of each, and all these postings.
    """
    single = {term: found for term, found in postings.items() if isinstance(found, int)}
    several = {term: found for term, found in postings.items() if not isinstance(found, int)}
    return (
        " ".join(single),
        array("Q", single.values()),
        " ".join(several),
        array("Q", map(len, several.values())),
        array("Q", chain.from_iterable(several.values())),
    )


def _unpacked(
    single: str, ones: array[int], several: str, counts: array[int], flat: array[int]
) -> dict[str, int | array[int]]:
    """Return the postings that ``_packed`` packed."""
    postings: dict[str, int | array[int]] = dict(zip(_terms(single), ones, strict=True))
    at = 0
    for term, many in zip(_terms(several), counts, strict=True):
        postings[term] = flat[at : at + many]
        at += many
    return postings


def _terms(joined: str) -> list[str]:
    return joined.split(" ") if joined else []


def _add_names(
    names: dict[str, dict[str, Exact]],
    document: SearchDocument,
    number: int,
    firsts: Collection[str] | None = None,
) -> None:
    """Add the names of document ``number``, or only those that are stored under ``firsts``."""
    for name in document.names:
        key, places = placed(name)
        # A list of pages comes after a page about the subject.
        rank = 0 if name == document.title and document.type not in ("tag", "topic") else 1
        for first in places:
            if firsts is None or first in firsts:
                exact = names.setdefault(first, {}).setdefault(key, Exact())
                exact.pages[number] = min(rank, exact.pages.get(number, rank))
    for group in document.groups:
        for name in group:
            key, places = placed(name)
            for first in places:
                if firsts is not None and first not in firsts:
                    continue
                exact = names.setdefault(first, {}).setdefault(key, Exact())
                if not _is_common(name, group):
                    others = (s for s in group if s != name)
                    exact.spellings = tuple(dict.fromkeys((*exact.spellings, *others)))
                exact.groups = tuple(dict.fromkeys((*exact.groups, group)))


def _named(document: SearchDocument | None) -> tuple[object, ...]:
    """Return all that the index takes of a document for its names."""
    return (document.names, document.groups, document.title, document.type) if document else ()


def _firsts(documents: Iterable[SearchDocument | None]) -> Iterator[str]:
    """Yield the terms under which the index stores the names of documents."""
    for document in filter(None, documents):
        for name in (*document.names, *chain.from_iterable(document.groups)):
            yield from placed(name)[1]


def _is_common(name: str, group: Sequence[str]) -> bool:
    """Return whether a name is an ordinary word that is short for another name of its group.

    "set" for "cache set" is: other names of a cache set help nobody who types ``set -e``.
    """
    if not (name.isascii() and name.isalpha() and name.islower()):
        return False
    return any(name in other.lower().split() for other in group if other != name)
