"""Scoring: what the slots say about each page, and the order of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from perfnotes.search.analysis import Slot
from perfnotes.search.constants import (
    FEW_SLOTS,
    LEAST_COVERED,
    MORE_COVERED,
    MOST_COVERED,
    NAMED,
    RARER,
    WEIGHTS,
)
from perfnotes.search.lookup import Hits

Row = tuple[Slot, Hits]


@dataclass
class Scored:
    """A page's score; ``blocks`` by block what it says there."""

    value: float
    blocks: dict[int, float] = field(default_factory=dict)


@dataclass
class Ranked:
    """Pages with their scores."""

    scores: dict[int, Scored]

    def name(self, pages: Mapping[int, int]) -> None:
        """These pages are what the query names, by rank: they come before all others."""
        for page, rank in pages.items():
            self.scores.setdefault(page, Scored(0.0)).value += NAMED * (2 - rank)

    def favour(self, pages: Iterable[int], by: float) -> None:
        for page in pages:
            if page in self.scores and self.scores[page].value < NAMED:
                self.scores[page].value *= 1 + by

    def take(self, other: Ranked, weight: float) -> bool:
        """Take what another way to ask finds better; whether there was anything."""
        for page, scored in other.scores.items():
            value = scored.value * weight
            mine = self.scores.get(page)
            if mine is None or (value > mine.value):
                self.scores[page] = Scored(value, scored.blocks)
        return bool(other.scores)

    def only(self, pages: set[int]) -> Ranked:
        return Ranked({p: s for p, s in self.scores.items() if p in pages})

    def without(self, pages: set[int]) -> Ranked:
        return Ranked({p: s for p, s in self.scores.items() if p not in pages})

    def order(self, twins: set[int], lang: str) -> list[int]:
        """Best pages first, twins as one page, which is that of the reader's language."""
        best: dict[int, float] = {}
        for page, scored in self.scores.items():
            original = page - 1 if page in twins else page
            best[original] = max(best.get(original, 0.0), scored.value)
        ordered = sorted(best, key=lambda page: (-round(best[page] * 1e6), page))
        if lang == "en":
            return ordered
        return [page + 1 if page + 1 in twins else page for page in ordered]


def loosened(rows: Iterable[Row]) -> list[Row]:
    """Pairs of characters that are much rarer than the pairs before and behind them count less.

    Between two Chinese words stands a pair that is no word: ``入数`` in ``输入数据``.
    """
    kept = list(rows)
    df = {slot.at: hits.df for slot, hits in kept if slot.kind in ("pair", "loose")}
    found = []
    for slot, hits in kept:
        around = min(df.get(slot.at - 1, 0), df.get(slot.at + 1, 0))
        if slot.kind == "pair" and hits.df * RARER <= around:
            found.append((replace(slot, kind="loose"), hits))
        else:
            found.append((slot, hits))
    return found


def score(rows: Sequence[Row], idf: Callable[[int], int]) -> Ranked:
    """The pages that answer any slot."""
    sums: dict[int, float] = {}
    covered: dict[int, float] = {}
    blocks: dict[int, dict[int, float]] = {}
    total = 0
    slots = sum(slot.kind != "both" for slot, _ in rows)
    least = min(MOST_COVERED, LEAST_COVERED + MORE_COVERED * max(0, slots - FEW_SLOTS))
    for slot, hits in rows:
        weight = idf(hits.df) * WEIGHTS[slot.kind]
        covers = 0 if slot.kind == "both" else weight
        total += covers
        for page, (value, block) in hits.pages.items():
            said = weight * value
            sums[page] = sums.get(page, 0.0) + said
            covered[page] = covered.get(page, 0) + covers
            of_page = blocks.setdefault(page, {})
            of_page[block] = of_page.get(block, 0.0) + said
    scores = {}
    for page, whole in sums.items():
        share = covered[page] / total if total else 1.0
        scores[page] = Scored(whole / 3e7 * (least + (1 - least) * share * share), blocks[page])
    return Ranked(scores)


def best_block(page: int, ranked: Ranked) -> int:
    """The block that says most; the first of them where several do."""
    scored = ranked.scores.get(page)
    if scored is None or not scored.blocks:
        return 0
    return min(scored.blocks, key=lambda block: (-scored.blocks[block], block))
