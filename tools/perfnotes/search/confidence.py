"""Whether the results probably answer a query, and which pages are worth listing at all.

The weights in ``CONFIDENCE`` were fitted by logistic regression to judged queries, half of which
have no answer; ``benchmarks/search/confidence.py`` fits them. ``confidence.js`` does
the same in the browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set

from msgspec import Struct

from perfnotes.search.analysis import Slot
from perfnotes.search.constants import CONFIDENCE, FLOOR, NAMED, WEIGHTS
from perfnotes.search.lookup import Hits

SCALE = 3e7  # divides the weighted matches of a page to give its score
_DIGITS = re.compile(r"[0-9][0-9.]*[a-z%]{0,3}")  # perhaps with a unit
_FULL = SCALE / 3000  # divides a slot's weight to give the score of a page that matches it fully


class QueryWeights(Struct, frozen=True):
    """The weights of a query's slots, summed up: rarity times the weight of the slot's kind.

    ``total`` is the sum over all slots, ``unknown`` the sum over slots that no page has, and
    ``slots`` the number of slots. Some subjects have no note, such as databases (see ``unwritten``
    in ``site/searchable``): ``rival`` is the best score of such a subject, and ``foreign`` the sum
    over slots that say more about such a subject than about any page. ``has_code`` says whether a
    slot is code, such as a call or an option. ``matches`` holds the weight of each slot that is no
    number, with the pages that it finds: hardly any page has the reader's own numbers.
    """

    total: float
    unknown: float
    slots: int
    rival: float = 0.0
    has_code: bool = False
    foreign: float = 0.0
    matches: tuple[tuple[float, Collection[int]], ...] = ()

    @classmethod
    def of(
        cls,
        rows: Sequence[tuple[Slot, Hits]],
        idf: Callable[[int], int],
        subjects: Collection[int],
        rival: float,
    ) -> QueryWeights:
        """Weigh the slots in ``rows``; a word that no page has weighs as much as one of one page.

        ``subjects`` are the documents of subjects without a note. A word that only they have counts
        as unknown.
        """
        total = unknown = foreign = 0.0
        many = 0
        matches: list[tuple[float, Collection[int]]] = []
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
            if not _DIGITS.fullmatch(slot.term):
                matches.append((weight, hits.pages))
            has_code |= slot.kind == "code" or slot.is_option
        return cls(total, unknown, many, rival, has_code, foreign, tuple(matches))

    def evidence(
        self, best: float, pages: Set[int], corrections: int, *, is_note: bool
    ) -> dict[str, float]:
        """Return what speaks for and against an answer, by the names of its weights.

        ``best`` is the score of the first result, and ``pages`` are its page with the page's twin
        and symptoms. The result is empty if the query names a page, since that page certainly
        answers.
        """
        if best >= NAMED or not self.total:
            return {}
        full = self.total / _FULL
        absent = [weight for weight, theirs in self.matches if pages.isdisjoint(theirs)]
        return {
            "base": 1.0,
            "unknown": self.unknown / self.total,
            "score": min(CONFIDENCE["most"], best / full),
            "absent": sum(absent) / self.total,
            "rarest": max(absent, default=0.0) / self.total,
            "foreign": self.foreign / self.total,
            "rival": min(CONFIDENCE["most"], self.rival / full),
            "corrected": float(min(3, corrections)),
            "note": float(is_note),
        }


def is_doubtful(evidence: Mapping[str, float]) -> bool:
    """Return whether the first result probably does not answer. Without evidence, it does."""
    return sum(CONFIDENCE[name] * value for name, value in evidence.items()) < 0


def least_score(scores: Iterable[float]) -> float:
    """Return the least score with which a page is listed: the share ``FLOOR`` of the best one.

    The bonus of a page whose name is the query is left out. ``scores`` are those before any filter,
    so a filter never lists pages that the query without the filter does not list.
    """
    return FLOOR * max((score % NAMED for score in scores), default=0.0)


def worth_listing(order: Sequence[int], best: Mapping[int, float], least: float) -> list[int]:
    """Return the pages of ``order`` whose score is at least ``least``, or all if none is.

    ``best`` has the scores.
    """
    return [page for page in order if best[page] >= least] or list(order)
