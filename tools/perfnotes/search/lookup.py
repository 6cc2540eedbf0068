"""Looking slots up in the shards of terms: which pages answer a slot, and how well."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from perfnotes.search.analysis import Slot
from perfnotes.search.codec import Posting, decode, numbers, unpack
from perfnotes.search.constants import EXACT, FORM, MOST_FORMS, NUMBER, RARITY, WIDE
from perfnotes.search.stem import stem

_END = "\uffff"


@dataclass(frozen=True)
class Name:
    """A title or alias of pages (each with its rank), and the other names of its term."""

    key: str
    pages: dict[int, int]
    spellings: tuple[str, ...]


class TermShard:
    """A run of the sorted terms."""

    def __init__(self, data: Any) -> None:
        self.terms: list[str] = unpack(data[0])
        self._postings: list[str] = data[1].split(" ")
        self._long: dict[str, int] = data[2]
        self._names: dict[str, list[Any]] = data[3]
        self._decoded: dict[int, list[Posting]] = {}

    def postings(self, i: int) -> list[Posting]:
        if i not in self._decoded:
            self._decoded[i] = decode(self._postings[i])
        return self._decoded[i]

    def df(self, i: int) -> int:
        return self._long.get(str(i)) or len(self.postings(i))

    def names(self, term: str) -> list[Name]:
        found = []
        for key, pages, *rest in self._names.get(term, ()):
            ranks = {n // 2: n % 2 for n in numbers(pages)}
            found.append(Name(key, ranks, tuple(rest[0]) if rest else ()))
        return found

    def range(self, low: str, high: str) -> range:
        return range(bisect_left(self.terms, low), bisect_right(self.terms, high))


@dataclass
class Hits:
    """By page how well it answers a slot (at most 3,000) and in which block; ``weight`` of it."""

    pages: dict[int, tuple[int, int]] = field(default_factory=dict)
    df: int = 0
    terms: list[tuple[str, int]] = field(default_factory=list)

    @cached_property
    def found(self) -> bool:
        return bool(self.pages)


class Terms:
    """All terms by way of ``load``, which gives a shard's data or None where it is missing."""

    def __init__(self, root: Any, load: Callable[[str], TermShard | None]) -> None:
        self.pages: int = root["n"]
        self._bounds: list[str] = unpack(root["t"])
        self._load = load

    def _at(self, term: str) -> int:
        return max(0, bisect_right(self._bounds, term) - 1)

    def shards(self, slot: Slot, *, prefix: bool) -> list[int]:
        """The numbers of the shards that a slot needs, two at most."""
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
        base = stem(slot.term) if slot.kind == "word" else slot.term
        ends = prefix or base != slot.term or slot.kind == "word"
        return base, base + _END if ends else slot.term

    def match(self, slot: Slot, *, prefix: bool, only: frozenset[int] | None = None) -> Hits:
        """The pages of the slot's term, its other forms and, with ``prefix``, its endings.

        With ``only`` no other shards are looked at, as far as one is needed.
        """
        low, high = self._span(slot, prefix=prefix)
        base = stem(slot.term) if slot.kind == "word" else ""
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
                weight = _weight(term, slot, base, prefix=prefix)
                if weight:
                    found.append((weight, shard.df(i), term, shard, i))
        if wide:
            found = [row for row in found if row[0] >= FORM] + wide
        if slot.kind == "word" and any(row[0] == EXACT for row in found):
            found = [(_ended(row[0]), *row[1:]) for row in found]
        found.sort(key=lambda row: (-row[0], -row[1], row[2]))
        return _merge(found[:MOST_FORMS], self.pages)

    def words(self, chosen: list[tuple[str, int]]) -> Hits:
        """The pages of certain terms, each with its weight."""
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
        """How rare it is, in hundredths: an integer, so that both engines agree.

        What is rare by accident must not outweigh what the query is about, hence the power.
        """
        df = min(max(df, 1), self.pages)
        rarity = math.log(1 + (self.pages - df + 0.5) / (df + 0.5))
        return max(20, round(100 * math.pow(rarity, RARITY)))


def _weight(term: str, slot: Slot, base: str, *, prefix: bool) -> int:
    if term == slot.term:
        return EXACT
    if slot.kind == "word" and stem(term) == base:
        return NUMBER if _differ_by_s(term, slot.term) else FORM
    if prefix and term.startswith(slot.term):
        more = len(term) - len(slot.term)
        return max(40, 85 - 2 * more) if slot.kind == "code" else max(30, 72 - 4 * more)
    return 0


def _ended(weight: int) -> int:
    """The weight of an ending where the word is also complete as it was typed."""
    return weight if weight >= FORM else weight * 2 // 5


def _differ_by_s(a: str, b: str) -> bool:
    return a == f"{b}s" or b == f"{a}s"


def _merge(rows: list[tuple[int, int, str, TermShard, int]], most: int) -> Hits:
    hits = Hits()
    sure = sum(row[1] for row in rows if row[0] >= FORM)
    hits.df = min(most, sure or sum(row[1] for row in rows))
    for weight, _, term, shard, i in rows:
        hits.terms.append((term, weight))
        for page, impact, block in shard.postings(i):
            value = weight * (impact + 1)
            if value > hits.pages.get(page, (0, 0))[0]:
                hits.pages[page] = (value, block)
    return hits
