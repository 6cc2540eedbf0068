"""Whether the results probably answer a query, and which pages are worth listing at all.

What speaks for an answer, and by how much, was fitted by logistic regression to judged queries of
which half have no answer: ``CONFIDENCE`` holds the weights. The twin in JavaScript is
``confidence.js``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from perfnotes.search.analysis import Slot
from perfnotes.search.constants import CONFIDENCE, FLOOR, NAMED, WEIGHTS
from perfnotes.search.lookup import Hits

_FULL = 3e7 / 3000  # divides a slot's weight to give the score of a page that matches it fully


@dataclass(frozen=True)
class Asked:
    """What a query weighs: all of it, and the words that no page has; and its number of slots."""

    total: float
    unknown: float
    slots: int

    @classmethod
    def of(cls, rows: Sequence[tuple[Slot, Hits]], idf: Callable[[int], int]) -> Asked:
        """Weigh the slots. A word that no page has weighs as much as one that a single page has."""
        total = unknown = 0.0
        many = 0
        for slot, hits in rows:
            if slot.kind == "both":
                continue
            weight = idf(hits.df) * WEIGHTS[slot.kind]
            total += weight
            unknown += 0.0 if hits.found else weight
            many += 1
        return cls(total, unknown, many)

    def is_doubtful(self, best: float, corrections: int, *, is_note: bool) -> bool:
        """Return whether a first result with the score ``best`` probably does not answer."""
        if best >= NAMED or not self.total:
            return False
        weights = CONFIDENCE
        sure = (
            weights["base"]
            + weights["unknown"] * self.unknown / self.total
            + weights["score"] * min(weights["most"], best * _FULL / self.total)
            + weights["corrected"] * min(3, corrections)
            + weights["note"] * is_note
        )
        return sure < 0


def least_score(scores: Iterable[float]) -> float:
    """Return the least score with which a page is listed: the share ``FLOOR`` of the best one.

    That a page is named by the query does not count. ``scores`` are those before any filter, so
    that a filter does not bring up pages that were not counted before.
    """
    return FLOOR * max((score % NAMED for score in scores), default=0.0)


def worth_listing(order: Sequence[int], best: Mapping[int, float], least: float) -> list[int]:
    """Return the pages of ``order`` whose score is at least ``least``, or all if none is.

    ``best`` has the scores.
    """
    return [page for page in order if best[page] >= least] or list(order)
