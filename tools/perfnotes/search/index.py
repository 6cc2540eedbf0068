"""The Index: the postings of each term over all documents, and the names that lead to pages.

Documents are added one by one. The postings of a document depend on no other document (see
``impacts``), so every text is read only once.
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from perfnotes.search.analysis import placed
from perfnotes.search.document import SearchDocument
from perfnotes.search.impacts import postings_of

Names = dict[str, dict[str, tuple[str, ...]]]  # first term → key → other names of the same thing


@dataclass
class Exact:
    """The pages that a name leads to, and the other names of a glossary term."""

    pages: dict[int, int] = field(default_factory=dict)  # page → 0 if it is the title, else 1
    spellings: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()  # the glossary terms with this name


@dataclass(frozen=True)
class ChangedTerms:
    """What another text of a document changes.

    ``terms`` are found on other pages, or with another impact, than before; ``moved`` are those
    that are found on other pages.
    """

    terms: set[str]
    moved: set[str]


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

    def replace(self, number: int, before: SearchDocument, after: SearchDocument) -> ChangedTerms:
        """Replace document ``number`` by another, except for its names; see ``rename``."""
        old, old_special = postings_of(before, number)
        new, special = postings_of(after, number)
        changed = {t for t in old.keys() | new.keys() if old.get(t) != new.get(t)}
        for term in changed:
            self._exchange(term, old.get(term), new.get(term))
        self.titled.update(special)
        self.titled.subtract(old_special)
        for term in old_special - special:
            if not self.titled[term]:
                del self.titled[term]
        return ChangedTerms(changed | (special ^ old_special), old.keys() ^ new.keys())

    def renumber(
        self, before: Sequence[SearchDocument], documents: Sequence[SearchDocument]
    ) -> None:
        """Index other documents instead of ``before``; those that are the same keep their postings.

        They may have other numbers than before.
        """
        numbers: dict[SearchDocument, list[int]] = {}
        for number, document in enumerate(documents):
            numbers.setdefault(document, []).append(number)
        moved = [same.pop() if (same := numbers.get(document)) else -1 for document in before]
        for number, document in enumerate(before):
            if moved[number] < 0:
                self._take_out(document, number)
        shift = [(new - old) << 16 for old, new in enumerate(moved)]
        for term, known in self.postings.items():
            if isinstance(known, int):
                self.postings[term] = known + shift[known >> 16]
            else:
                self.postings[term] = array("Q", sorted(p + shift[p >> 16] for p in known))
        for document, number in ((d, n) for d, rest in numbers.items() for n in rest):
            found, special = postings_of(document, number)
            self.titled.update(special)
            for term, posting in found.items():
                self._exchange(term, None, posting)
        self.pages = len(documents)
        self.names = {}
        for number, document in enumerate(documents):
            _add_names(self.names, document, number)

    def _take_out(self, document: SearchDocument, number: int) -> None:
        found, special = postings_of(document, number)
        for term, posting in found.items():
            self._exchange(term, posting, None)
        self.titled.subtract(special)
        for term in special:
            if not self.titled[term]:
                del self.titled[term]

    def rename(
        self, before: Sequence[SearchDocument], documents: Sequence[SearchDocument]
    ) -> set[str]:
        """Collect the names of the documents anew, where they are not those of ``before``.

        Returns the first terms of the names that lead to other pages than before.
        """
        pairs = enumerate(zip(before, documents, strict=True))
        edited = {number: pair for number, pair in pairs if pair[0] != pair[1]}
        firsts = {first for pair in edited.values() for first in _firsts(pair)}
        known = [exact for first in firsts for exact in self.names.get(first, {}).values()]
        pages = edited.keys() | {page for exact in known for page in exact.pages}
        groups = {group for exact in known for group in exact.groups}
        names: dict[str, dict[str, Exact]] = {}
        for number, document in enumerate(documents):
            if number in pages or not groups.isdisjoint(document.groups):
                _add_names(names, document, number, firsts)
        changed = {first for first in firsts if self.names.get(first) != names.get(first)}
        for first in changed:
            self.names.pop(first, None)
        self.names |= {first: names[first] for first in changed & names.keys()}
        return changed

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


def _firsts(documents: Iterable[SearchDocument]) -> Iterator[str]:
    """Yield the terms under which the index stores the names of documents."""
    for document in documents:
        for name in (*document.names, *chain.from_iterable(document.groups)):
            yield from placed(name)[1]


def _is_common(name: str, group: Sequence[str]) -> bool:
    """Return whether a name is an ordinary word that is short for another name of its group.

    "set" for "cache set" is: other names of a cache set help nobody who types ``set -e``.
    """
    if not (name.isascii() and name.isalpha() and name.islower()):
        return False
    return any(name in other.lower().split() for other in group if other != name)
