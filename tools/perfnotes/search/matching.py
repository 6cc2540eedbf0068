"""Matching: finds the pages of a query's slots, or of the words that a mistyped slot may mean.

In the browser ``ranking.js`` and ``corrections.js`` do the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from perfnotes.search.analysis import Analysis, Slot
from perfnotes.search.answer import SearchAnswer
from perfnotes.search.constants import MOST_CORRECTIONS
from perfnotes.search.lookup import Hits
from perfnotes.search.scoring import Row, loosened, said_once
from perfnotes.search.spelling import most_slips, nearest
from perfnotes.search.store import ShardStore


class SlotMatcher:
    """Finds the pages of slots in the shards of ``store``."""

    def __init__(self, store: ShardStore) -> None:
        self._store = store
        self._terms = store.terms

    def match(self, found: Analysis, answer: SearchAnswer | None) -> list[Row]:
        """Return the rows of all slots, of neighbouring words joined into one, and of signs.

        A word that the query repeats has one row. Corrections are recorded in ``answer``, as in
        ``rows``.
        """
        rows = loosened(row for slot in found.slots for row in self.rows(slot, found, answer))
        rows += self._joined_neighbours(found)
        rows += self._signs(found)
        return said_once(rows)

    def rows(
        self, slot: Slot, found: Analysis, answer: SearchAnswer | None, most: int = MOST_CORRECTIONS
    ) -> Iterator[Row]:
        """Yield a slot with its pages.

        If no page has a word, it is corrected, to at most ``most`` words. If no page has a
        compound, these are tried in turn: its ends, a correction, its parts. Corrections are
        recorded in ``answer``; if that is None, nothing is corrected.
        """
        prefix = found.is_prefix(slot)
        hits = self._terms.match(slot, prefix=prefix)
        if hits.found or slot.kind != "code":
            yield slot, hits if hits.found else self._corrected(slot, answer, most, prefix=prefix)
        elif ended := self._without_beginning(slot):
            yield ended
        elif (near := self._corrected(slot, answer, most, prefix=False)).found:
            yield slot, near
        else:
            for part in slot.parts:
                small = Slot(part, "word", slot.at)
                prefix = slot is found.slots[-1] and part is slot.parts[-1]
                hits = self._terms.match(small, prefix=prefix)
                if not hits.found:
                    hits = self._corrected(small, answer, most, prefix=prefix)
                yield small, hits

    def _joined_neighbours(self, found: Analysis) -> list[Row]:
        """Return rows for each two neighbouring words of the query, joined into one.

        The index has such joined words for names and headings; a page with one gets a bonus. They
        are looked up only in shards that the slots need anyway.
        """
        there = frozenset(
            n for s in found.slots for n in self._terms.shards(s, prefix=found.is_prefix(s))
        )
        rows = []
        for a, b in pairwise(found.slots):
            if a.kind == b.kind == "word" and a.at + len(a.term) == b.at:
                joined = Slot(a.term + b.term, "word", a.at)
                hits = self._terms.match(joined, prefix=b is found.slots[-1], only=there)
                rows.append((Slot(joined.term, "both", a.at), hits))
        return rows

    def _signs(self, found: Analysis) -> list[Row]:
        """Return a row for each sign such as ``[[`` that some name or heading has."""
        slots = (Slot(sign, "code", len(found.key)) for sign in found.signs)
        rows = ((slot, self._terms.match(slot, prefix=False)) for slot in slots)
        return [row for row in rows if row[1].found]

    def _without_beginning(self, slot: Slot) -> Row | None:
        """Look up the ends of a compound, such as ``nthelement`` for ``std::nth_element``.

        Returns the row of the longest end that some page has, or None.
        """
        for end in slot.ends:
            shorter = Slot(end, "code", slot.at)
            hits = self._terms.match(shorter, prefix=True)
            if hits.found:
                return shorter, hits
        return None

    def _corrected(
        self, slot: Slot, answer: SearchAnswer | None, most: int, *, prefix: bool
    ) -> Hits:
        """Return the pages of the words that a slot without pages may mean.

        The nearest word is added to ``answer.corrected``.
        """
        slips = most_slips(slot.term)
        is_fixed = slot.is_name or "-" in slot.term
        if answer is None or not slips or is_fixed or not slot.term.isascii():
            return Hits()
        found = self._nearest(slot.term, prefix=prefix, most=slips)[:most]
        chosen = [(word, 90 - 20 * slips) for word, slips in found]
        answer.corrected += [(slot.term, word) for word, _ in chosen[:1]]
        return self._terms.words(chosen)

    def _nearest(self, typed: str, *, prefix: bool, most: int) -> list[tuple[str, int]]:
        """Return the words of the index nearest to ``typed``, with their distances, up to ``most``.

        Words with another beginning are looked for only if none has the first letter.
        """
        for words in self._store.spelled(typed):
            if found := nearest(typed, words, prefix=prefix, most=most):
                return found
        return nearest(typed, self._store.respelled(typed), prefix=prefix, most=most)

    def suggest(self, found: Analysis) -> list[str]:
        """Return at most six words of the index that are similar to words of the query."""
        suggestions: list[str] = []
        for slot in found.slots:
            if slot.kind in ("word", "code") and slot.term.isascii() and len(slot.term) > 2:
                near = (word for word, _ in self._nearest(slot.term, prefix=True, most=3))
                # If pages have the word itself, the query has no results because of other words.
                suggestions += (word for word in near if word != slot.term)
        return list(dict.fromkeys(suggestions))[:6]


def pages_with_all(slots: Iterable[Slot], rows: Iterable[Row]) -> set[int]:
    """Return the pages that have every one of ``slots``, whose hits are in ``rows``.

    A slot that no page has is ignored.
    """
    asked = {slot.term for slot in slots}
    needed = [
        hits.pages.keys()
        for slot, hits in rows
        if hits.found and slot.kind != "both" and slot.term in asked
    ]
    return set(needed[0]).intersection(*needed[1:]) if needed else set()
