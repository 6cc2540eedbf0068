"""The Index: the postings of each term over all documents, and the names that lead to pages.

Documents are added one by one. The postings of a document depend on no other document (see
``impacts``), so every text is read only once.
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, MutableMapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct, field

from perfnotes.search.analysis import key_and_terms
from perfnotes.search.document import SearchDocument
from perfnotes.search.edited_documents import GONE, EditedDocuments
from perfnotes.search.impacts import postings_of
from perfnotes.search.packed_postings import PackedPostings, Postings, groups_of

# (first, by): pages that are now numbered ``first`` or higher had ``by`` added to their numbers.
Shift = tuple[int, int]
OtherNames = dict[str, dict[str, tuple[str, ...]]]  # first term → key → other names


class NameEntry(Struct):
    """The pages that have a name, and the other names of the same glossary term."""

    pages: dict[int, int] = field(default_factory=dict)  # page → 0 if it is the title, else 1
    spellings: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()  # the glossary terms with this name


class ChangedTerms(Struct):
    """Which terms an update of the index has changed.

    ``terms`` have postings with other pages, impacts or blocks than before, or are in the titles,
    names and headings of other documents. ``moved`` are the terms that some document has now and
    had not before, or the reverse. ``named`` are the first terms of names that have other pages or
    other spellings. ``renumbered`` are the terms that are on a page whose number changed; ``shift``
    says how these numbers changed, if all of them changed alike.
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
        self.postings: MutableMapping[str, Postings] = {}
        self.names: dict[str, dict[str, NameEntry]] = {}  # first term → key → entry
        # How many documents have a term in a heading, in the title or in another name.
        self.titled: Counter[str] = Counter()
        self.general: OtherNames = {}

    def __getstate__(self) -> dict[str, object]:
        """Pickle without many small objects; that loads in a fraction of the time."""
        titled = " ".join(self.titled), array("I", self.titled.values())
        postings = self.postings
        if not isinstance(postings, PackedPostings):
            postings = PackedPostings(postings)
        return self.__dict__ | {"postings": postings, "titled": titled}

    def __setstate__(self, state: dict[str, Any]) -> None:
        terms, counts = state["titled"]
        titled = Counter(dict(zip(terms.split(" ") if terms else (), counts, strict=True)))
        self.__dict__ |= state | {"titled": titled}

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
            self._rebuild_names(documents, changed)
        else:
            self._update_names(edited, documents, changed)
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
            self._replace_posting(term, old.get(term), new.get(term))
        self.titled.update(special)
        self.titled.subtract(old_special)
        for term in old_special - special:
            if not self.titled[term]:
                del self.titled[term]
        changed.terms |= terms | (special ^ old_special)
        changed.moved |= old.keys() ^ new.keys()

    def _renumber(self, edited: EditedDocuments, first: int, changed: ChangedTerms) -> None:
        """Give the documents from ``first`` on new numbers.

        The postings of documents that are gone were removed before.
        """
        renumbered = changed.renumbered
        shifts = [new - old if new != GONE else 0 for old, new in enumerate(edited.numbers)]
        shift = [by << 16 for by in shifts]
        least, is_in_order = first << 16, edited.is_in_order
        for postings in groups_of(self.postings):
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
            for entry in names.values():
                if entry.pages and max(entry.pages) >= first:
                    entry.pages = {page + shifts[page]: at for page, at in entry.pages.items()}
                    renumbered.add(term)

    def _rebuild_names(self, documents: Sequence[SearchDocument], changed: ChangedTerms) -> None:
        """Collect the names of all documents again, since names keep the order of documents."""
        before, self.names = self.names, {}
        for number, document in enumerate(documents):
            _add_names(self.names, document, number)
        changed.named |= before.keys() | self.names.keys()

    def _update_names(
        self,
        edited: EditedDocuments,
        documents: Sequence[SearchDocument],
        changed: ChangedTerms,
    ) -> None:
        """Collect the names again that documents with other names than before have or had."""
        pairs = [pair for pair in edited.pairs if _name_fields(pair[0]) != _name_fields(pair[1])]
        firsts = {first for pair in pairs for first in _first_terms(pair)}
        known = [entry for first in firsts for entry in self.names.get(first, {}).values()]
        pages = {number for number, _, _ in edited.made}
        pages.update(page for entry in known for page in entry.pages)
        groups = {group for entry in known for group in entry.groups}
        names: dict[str, dict[str, NameEntry]] = {}
        for number, document in enumerate(documents) if firsts else ():
            if number in pages or not groups.isdisjoint(document.groups):
                _add_names(names, document, number, firsts)
        for first in firsts:
            if self.names.get(first) != names.get(first):
                changed.named.add(first)
                self.names.pop(first, None)
                if first in names:
                    self.names[first] = names[first]

    def names_under(self, term: str) -> dict[str, NameEntry]:
        """Return the names that are stored under a term, by their keys, with the general ones."""
        own, general = self.names.get(term, {}), self.general.get(term)
        if not general:
            return own
        return own | {
            key: NameEntry(entry.pages, tuple(dict.fromkeys((*entry.spellings, *more))))
            for key, more in general.items()
            for entry in [own.get(key, NameEntry())]
        }

    def own_groups(self, first: str, key: str) -> tuple[tuple[str, ...], ...]:
        """Return the terms of the folder's own glossary with a name, each as all its names."""
        entry = self.names.get(first, {}).get(key)
        return entry.groups if entry else ()

    def _replace_posting(self, term: str, old: int | None, new: int | None) -> None:
        known = self.postings.pop(term, ())
        found = [known] if isinstance(known, int) else list(known)
        if old is not None:
            found.remove(old)
        if new is not None:
            insort(found, new)
        if found:
            self.postings[term] = array("Q", found) if len(found) > 1 else found[0]


def _add_names(
    names: dict[str, dict[str, NameEntry]],
    document: SearchDocument,
    number: int,
    firsts: Collection[str] | None = None,
) -> None:
    """Add the names of document ``number``, or only those that are stored under ``firsts``."""
    for name in document.names:
        key, firsts_of_name = key_and_terms(name)
        # The page of a tag or topic, which lists pages, comes after a page about the subject.
        rank = 0 if name == document.title and document.type not in ("tag", "topic") else 1
        for first in firsts_of_name:
            if firsts is None or first in firsts:
                entry = names.setdefault(first, {}).setdefault(key, NameEntry())
                entry.pages[number] = min(rank, entry.pages.get(number, rank))
    for group in document.groups:
        for name in group:
            key, firsts_of_name = key_and_terms(name)
            for first in firsts_of_name:
                if firsts is not None and first not in firsts:
                    continue
                entry = names.setdefault(first, {}).setdefault(key, NameEntry())
                if not _is_common(name, group):
                    others = (s for s in group if s != name)
                    entry.spellings = tuple(dict.fromkeys((*entry.spellings, *others)))
                entry.groups = tuple(dict.fromkeys((*entry.groups, group)))


def _name_fields(document: SearchDocument | None) -> tuple[object, ...]:
    """Return the fields of a document from which the index makes its names."""
    return (document.names, document.groups, document.title, document.type) if document else ()


def _first_terms(documents: Iterable[SearchDocument | None]) -> Iterator[str]:
    """Yield the terms under which the index stores the names of documents."""
    for document in filter(None, documents):
        for name in (*document.names, *chain.from_iterable(document.groups)):
            yield from key_and_terms(name)[1]


def _is_common(name: str, group: Sequence[str]) -> bool:
    """Return whether a name is an ordinary word that is a part of another name of its group.

    An example is "set" for "cache set": a reader who types ``set -e`` wants no other names of a
    cache set.
    """
    if not (name.isascii() and name.isalpha() and name.islower()):
        return False
    return any(name in other.lower().split() for other in group if other != name)
