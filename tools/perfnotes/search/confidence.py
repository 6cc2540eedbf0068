"""Whether the results probably answer a query, and which pages are worth listing at all.

What speaks for an answer, and by how much, was fitted by logistic regression to judged queries of
which half have no answer: ``CONFIDENCE`` holds the weights, and ``benchmarks/search/confidence.py``
fits them. The twin in JavaScript is
``confidence.js``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from perfnotes.search.analysis import Slot
from perfnotes.search.constants import CONFIDENCE, FLOOR, NAMED, WEIGHTS
from perfnotes.search.lookup import Hits

_FULL = 3e7 / 3000  # divides a slot's weight to give the score of a page that matches it fully


class Asked(Struct, frozen=True):
    """What a query weighs: all of it, and the words that no note has; and its number of slots.

    ``rival`` is the best score of a subject that no note is about, such as databases. ``foreign``
    is what the words weigh that say more about such a subject than about any page. ``has_code``
    says whether a slot is code, such as a call or an option.
    """

    total: float
    unknown: float
    slots: int
    rival: float = 0.0
    has_code: bool = False
    foreign: float = 0.0

    @classmethod
    def of(
        cls,
        rows: Sequence[tuple[Slot, Hits]],
        idf: Callable[[int], int],
        subjects: Collection[int],
        rival: float,
    ) -> Asked:
        """Weigh the slots. A word that no page has weighs as much as one that a single page has.

        A word that only ``subjects`` have is not one of a note either.
        """
        total = unknown = foreign = 0.0
        many = 0
        has_code = False
        for slot, hits in rows:
            if slot.kind == "both":
                continue
            weight = idf(hits.df) * WEIGHTS[slot.kind]
            total += weight
            theirs = [value for page, (value, _) in hits.pages.items() if page in subjects]
            ours = [value for page, (value, _) in hits.pages.items() if page not in subjects]
            unknown += 0.0 if ours else weight
            foreign += weight if max(theirs, default=0) > max(ours, default=0) else 0.0
            many += 1
            has_code |= slot.kind == "code" or slot.is_option
        return cls(total, unknown, many, rival, has_code, foreign)

    def evidence(self, best: float, corrections: int, *, is_note: bool) -> dict[str, float]:
        """Return what speaks for and against an answer, by the names of its weights.

        ``best`` is the score of the first result. A query that names a page has none: it is sure.
        """
        if best >= NAMED or not self.total:
            return {}
        full = self.total / _FULL
        return {
            "base": 1.0,
            "unknown": self.unknown / self.total,
            "score": min(CONFIDENCE["most"], best / full),
            "foreign": self.foreign / self.total,
            "rival": min(CONFIDENCE["most"], self.rival / full),
            "corrected": float(min(3, corrections)),
            "note": float(is_note),
        }


def is_doubtful(evidence: Mapping[str, float]) -> bool:
    """Return whether the first result probably does not answer, by the evidence of the query."""
    return sum(CONFIDENCE[name] * value for name, value in evidence.items()) < 0


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
