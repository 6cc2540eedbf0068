"""The postings of an index that comes from a record, unpacked for the terms that are asked for."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from itertools import chain
from typing import TypeAlias

# The postings of a term: an int if it has only one, or else an array sorted by page.
Postings: TypeAlias = "int | array[int]"
GROUP = 256  # terms of a group; one with twice as many is split
# The terms of a group, joined by spaces, the number of postings of each, and all these postings.
_Packed: TypeAlias = "tuple[str, array[int], array[int]]"


class PackedPostings(MutableMapping[str, Postings]):
    """The postings of sorted terms in groups of neighbours. A group is unpacked as a whole."""

    def __init__(self, postings: Mapping[str, Postings]) -> None:
        terms = sorted(postings)
        self._firsts = terms[::GROUP] or [""]  # the first term of each group
        self._groups: list[dict[str, Postings] | _Packed] = [
            {term: postings[term] for term in terms[at : at + GROUP]}
            for at in range(0, len(terms) or 1, GROUP)
        ]

    def _group(self, i: int) -> dict[str, Postings]:
        group = self._groups[i]
        if isinstance(group, tuple):
            group = self._groups[i] = _unpacked(*group)
        return group

    def _group_of(self, term: str) -> dict[str, Postings]:
        return self._group(max(bisect_right(self._firsts, term) - 1, 0))

    def groups(self) -> Iterator[dict[str, Postings]]:
        """Yield the postings of each group by term. They may be replaced, but not removed."""
        return map(self._group, range(len(self._groups)))

    def __getitem__(self, term: str) -> Postings:
        return self._group_of(term)[term]

    def __setitem__(self, term: str, postings: Postings) -> None:
        self._group_of(term)[term] = postings

    def __delitem__(self, term: str) -> None:
        del self._group_of(term)[term]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self.groups())

    def __len__(self) -> int:
        return sum(map(len, self.groups()))

    def __getstate__(self) -> dict[str, object]:
        """Pickle packed groups, which load in a fraction of the time; split what has grown."""
        kept: list[tuple[str, _Packed]] = []
        for first, group in zip(self._firsts, self._groups, strict=True):
            if isinstance(group, tuple):
                kept.append((first, group))
                continue
            terms = sorted(group)
            size = len(terms) if len(terms) < 2 * GROUP else GROUP
            for at in range(0, len(terms), size or 1):
                part = terms[at : at + size]
                kept.append((part[0], _packed({term: group[term] for term in part})))
        firsts, groups = [first for first, _ in kept], [group for _, group in kept]
        return {"_firsts": firsts or [""], "_groups": groups or [{}]}


def groups_of(postings: MutableMapping[str, Postings]) -> Iterable[MutableMapping[str, Postings]]:
    """Return the groups of packed postings; postings that are not packed are one group."""
    return postings.groups() if isinstance(postings, PackedPostings) else (postings,)


def _packed(postings: Mapping[str, Postings]) -> _Packed:
    rows = [(found,) if isinstance(found, int) else found for found in postings.values()]
    return " ".join(postings), array("I", map(len, rows)), array("Q", chain.from_iterable(rows))


def _unpacked(terms: str, counts: array[int], flat: array[int]) -> dict[str, Postings]:
    postings: dict[str, Postings] = {}
    at = 0
    for term, many in zip(terms.split(" "), counts, strict=True):
        postings[term] = flat[at] if many == 1 else flat[at : at + many]
        at += many
    return postings
