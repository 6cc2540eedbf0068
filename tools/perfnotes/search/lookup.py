"""Lookup of slots in the shards of terms: which pages match a slot, and how well."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import Struct

from perfnotes.search.analysis import Slot
from perfnotes.search.codec import Posting, decode, numbers, unpack
from perfnotes.search.constants import COMPLETIONS, EXACT, FORM, MOST_FORMS, NUMBER, RARITY, WIDE
from perfnotes.search.stem import both_spellings, stem

_END = "\uffff"


class Name(Struct, frozen=True):
    """A title or other name of pages.

    ``pages`` maps a page to 0 if the name is its title, else to 1. If the name is that of a
    glossary term, ``spellings`` are the other names of the term.
    """

    key: str
    pages: dict[int, int]
    spellings: tuple[str, ...]


class TermShard:
    """The decoded shard ``t/<number>``: a run of the sorted terms with their postings and names."""

    def __init__(self, data: Any) -> None:
        self.terms: list[str] = unpack(data[0])
        self._postings: list[str] = data[1].split(" ")
        self._long: dict[str, int] = data[2]
        self._names: dict[str, list[Any]] = data[3]
        self._decoded: dict[int, list[Posting]] = {}

    def postings(self, i: int) -> list[Posting]:
        """Return the postings of the term with index ``i``."""
        if i not in self._decoded:
            self._decoded[i] = decode(self._postings[i])
        return self._decoded[i]

    def df(self, i: int) -> int:
        """Return the number of pages that have the term with index ``i``."""
        return self._long.get(str(i)) or len(self.postings(i))

    def names(self, term: str) -> list[Name]:
        """Return the names that are stored under a term."""
        found = []
        for key, pages, *rest in self._names.get(term, ()):
            ranks = {n // 2: n % 2 for n in numbers(pages)}
            found.append(Name(key, ranks, tuple(rest[0]) if rest else ()))
        return found

    def range(self, low: str, high: str) -> range:
        """Return the indexes of the terms from ``low`` to ``high``."""
        return range(bisect_left(self.terms, low), bisect_right(self.terms, high))


@dataclass
class Hits:
    """The pages that match a slot.

    ``pages`` maps a page to ``(value, block)``: how well it matches, at most 3,000, and its best
    block. ``df`` is about how many pages match; the rarity of the slot is computed from it.
    ``terms`` are the terms that were found, with their weights.
    """

    pages: dict[int, tuple[int, int]] = field(default_factory=dict)
    df: int = 0
    terms: list[tuple[str, int]] = field(default_factory=list)

    @cached_property
    def found(self) -> bool:
        return bool(self.pages)


class TermLookup:
    """All terms of an index. ``load`` gives a shard by its name, or None if it is missing."""

    def __init__(self, root: Any, load: Callable[[str], TermShard | None]) -> None:
        self.pages: int = root["n"]
        self._bounds: list[str] = unpack(root["t"])
        self._load = load

    def _at(self, term: str) -> int:
        """Return the number of the shard that would hold a term."""
        return max(0, bisect_right(self._bounds, term) - 1)

    def shards(self, slot: Slot, *, prefix: bool) -> list[int]:
        """Return the numbers of the shards that a slot needs, at most two."""
        at = self._at(slot.term)
        if slot.kind in ("pair", "loose"):
            return [at]
        low, high = self._span(slot, prefix=prefix)
        first, last = self._at(low), self._at(high)
        if last - first <= 1:
            return list(range(first, last + 1))
        wide = self._at(slot.term + "*")
        return sorted({at, wide}) if prefix else [at]

    def _span(self, slot: Slot, *, prefix: bool) -> tuple[str, str]:
        """Return the first and the last term that can match a slot."""
        if slot.kind == "word":
            first, last = both_spellings(stem(slot.term))
            return first, last + _END
        return slot.term, slot.term + _END if prefix else slot.term

    def match(self, slot: Slot, *, prefix: bool, only: frozenset[int] | None = None) -> Hits:
        """Return the pages of the slot's term and of its other forms.

        With ``prefix``, terms that begin with the slot's term match too. With ``only``, shards
        whose numbers are not in it are not loaded.
        """
        low, high = self._span(slot, prefix=prefix)
        forms = both_spellings(stem(slot.term)) if slot.kind == "word" else ()
        found: list[tuple[int, int, str, TermShard, int]] = []
        wide: list[tuple[int, int, str, TermShard, int]] = []
        for number in self.shards(slot, prefix=prefix):
            if only is not None and number not in only:
                continue
            shard = self._load(f"t/{number}")
            if shard is None:
                continue
            for i in shard.range(low, high):
                term = shard.terms[i]
                if term.endswith("*"):
                    if prefix and term == slot.term + "*":
                        wide.append((WIDE, shard.df(i), term, shard, i))
                    continue
                weight = _weight(term, slot, forms, prefix=prefix)
                if weight:
                    found.append((weight, shard.df(i), term, shard, i))
        if wide:
            found = [row for row in found if row[0] >= FORM] + wide
        if slot.kind == "word" and any(row[0] == EXACT for row in found):
            found = [(_weight_beside_exact(row[0], slot), *row[1:]) for row in found]
            found = [row for row in found if row[0]]
        found.sort(key=lambda row: (-row[0], -row[1], row[2]))
        return _merge(found[:MOST_FORMS], self.pages)

    def words(self, chosen: list[tuple[str, int]]) -> Hits:
        """Return the pages of the given ``(term, weight)`` pairs."""
        found = []
        for term, weight in chosen:
            shard = self._load(f"t/{self._at(term)}")
            for i in shard.range(term, term) if shard else ():
                assert shard
                found.append((weight, shard.df(i), term, shard, i))
        return _merge(found, self.pages)

    def names(self, term: str) -> list[Name]:
        shard = self._load(f"t/{self._at(term)}")
        return shard.names(term) if shard else []

    def idf(self, df: int) -> int:
        """Return how rare a term on ``df`` pages is, in hundredths, at least 20.

        This is the inverse document frequency of BM25, raised to the power ``RARITY``, because a
        word that is rare by accident must not outweigh the subject of the query. The result is an
        integer, so that the browser's engine computes the same.
        """
        df = min(max(df, 1), self.pages)
        rarity = math.log(1 + (self.pages - df + 0.5) / (df + 0.5))
        return max(20, round(100 * math.pow(rarity, RARITY)))


def _weight(term: str, slot: Slot, forms: Sequence[str], *, prefix: bool) -> int:
    """Return how well a term of the index matches a slot with the stems ``forms``, or 0."""
    if term == slot.term:
        return EXACT
    if forms and stem(term) in forms:
        return NUMBER if _differ_by_s(term, slot.term) else FORM
    if prefix and term.startswith(slot.term):
        more = len(term) - len(slot.term)
        return max(40, 85 - 2 * more) if slot.kind == "code" else max(30, 72 - 4 * more)
    return 0


def _weight_beside_exact(weight: int, slot: Slot) -> int:
    """Return the weight of a match if the index also has the slot's word exactly as it was typed.

    The word was probably complete then, so a longer term that begins with it counts two fifths, and
    nothing if the word is a name in capitals: a reader who types LIS does not mean "list".
    """
    if weight >= FORM:
        return weight
    return 0 if slot.is_name else weight * 2 // 5


def _differ_by_s(a: str, b: str) -> bool:
    return a == f"{b}s" or b == f"{a}s"


def _merge(rows: list[tuple[int, int, str, TermShard, int]], most: int) -> Hits:
    """Merge rows of ``(weight, df, term, shard, index in it)``; ``most`` is the number of pages.

    A page gets its best value. If no term is a form of the word itself, the word is probably
    unfinished; then ``COMPLETIONS`` percent of the page's other values are added.
    """
    hits = Hits()
    sure = sum(row[1] for row in rows if row[0] >= FORM)
    hits.df = min(most, sure or sum(row[1] for row in rows))
    more = 0 if sure else COMPLETIONS
    for weight, _, term, shard, i in rows:
        hits.terms.append((term, weight))
        for page, impact, block in shard.postings(i):
            value = weight * (impact + 1)
            best, at = hits.pages.get(page, (0, block))
            if value > best:
                best, value, at = value, best, block
            hits.pages[page] = (best + value * more // 100, at)
    return hits
