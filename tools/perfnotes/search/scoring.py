"""Scoring: the scores of pages from the hits of the slots, and the order of the results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from perfnotes.search.analysis import Slot
from perfnotes.search.confidence import SCALE, QueryWeights
from perfnotes.search.constants import (
    FEW_SLOTS,
    LEAST_COVERED,
    MORE_COVERED,
    MOST_COVERED,
    NAMED,
    RARER,
    SYMPTOM,
    SYMPTOM_SHOWN,
    TOGETHER,
    WEIGHTS,
)
from perfnotes.search.lookup import Hits

Row = tuple[Slot, Hits]
_CHINESE = ("pair", "loose", "char")  # kinds of slots


class Scored(Struct):
    """A page's score, and what each of its blocks contributes before the score is scaled.

    ``symptom`` is the document of the note's symptom that answers the query, -1 if none does.
    """

    value: float
    blocks: dict[int, float] = field(default_factory=dict)
    symptom: int = -1


class Ranked(Struct):
    """Pages with their scores.

    ``terms`` are the terms that were found for the query, ``best`` the score of each page that
    ``order`` has returned, and ``weights`` the weights of the query's slots.
    """

    scores: dict[int, Scored]
    terms: set[str] = field(default_factory=set)
    best: dict[int, float] = field(default_factory=dict)
    weights: QueryWeights = field(default_factory=lambda: QueryWeights(0.0, 0.0, 0))

    def put_first(self, pages: Mapping[int, int]) -> None:
        """Put ``pages`` before all others. It maps each to its rank: rank 0 comes before rank 1."""
        for page, rank in pages.items():
            self.scores.setdefault(page, Scored(0.0)).value += NAMED * (2 - rank)

    def favour(self, pages: Iterable[int], by: float) -> None:
        """Multiply the scores of those ``pages`` that were found by ``1 + by``."""
        for page in pages:
            if page in self.scores and self.scores[page].value < NAMED:
                self.scores[page].value *= 1 + by

    def take_better(self, other: Ranked, weight: float) -> bool:
        """Replace each score that is lower than the page's score in ``other`` times ``weight``.

        Returns whether ``other`` has any page.
        """
        for page, scored in other.scores.items():
            value = scored.value * weight
            mine = self.scores.get(page)
            if mine is None or (value > mine.value):
                self.scores[page] = Scored(value, scored.blocks)
        if other.scores:
            self.terms |= other.terms
        return bool(other.scores)

    def fold(self, notes: Mapping[int, int], twins: set[int]) -> None:
        """Add the score of each note's best symptom to that of the note.

        ``notes`` maps each symptom to its note. If both the note and its twin were found, both get
        it, so that a filter for one language keeps it.
        """
        found = [(p, s) for p, s in self.scores.items() if p in notes]
        best: dict[int, tuple[float, int]] = {}
        for page, scored in found:
            del self.scores[page]
            note = notes[page]
            symptom = page - 1 if page in twins else page
            best[note] = max(best.get(note, (0.0, 0)), (scored.value, -symptom))
        for note, (value, symptom) in best.items():
            both = [p for p in (note, note + 1) if p in self.scores and (p == note or p in twins)]
            for page in both or [note]:
                mine = self.scores.setdefault(page, Scored(0.0))
                if mine.value < NAMED and value > SYMPTOM_SHOWN * mine.value:
                    mine.symptom = -symptom
                mine.value += SYMPTOM * value

    def only(self, pages: set[int]) -> Ranked:
        return replace(self, scores={p: s for p, s in self.scores.items() if p in pages})

    def without(self, pages: set[int]) -> Ranked:
        return replace(self, scores={p: s for p, s in self.scores.items() if p not in pages})

    def answering_symptom(self, page: int, twins: set[int]) -> int:
        """Return the symptom of a page that answers, in the page's language, or -1."""
        for other in (page, page - 1 if page in twins else page + 1):
            scored = self.scores.get(other)
            if scored and scored.symptom >= 0 and (other <= page or other in twins):
                is_translated = page in twins and scored.symptom + 1 in twins
                return scored.symptom + 1 if is_translated else scored.symptom
        return -1

    def order(self, twins: set[int], lang: str) -> list[int]:
        """Return the pages, best first.

        A page and its twin (translation) count as one, with the better of their scores. The page
        in the reader's language ``lang`` is returned.
        """
        best: dict[int, float] = {}
        for page, scored in self.scores.items():
            original = page - 1 if page in twins else page
            best[original] = max(best.get(original, 0.0), scored.value)
        ordered = sorted(best, key=lambda page: (-round(best[page] * 1e6), page))
        is_other = lang != "en"
        shown = {page + 1 if is_other and page + 1 in twins else page: page for page in ordered}
        self.best = {page: best[original] for page, original in shown.items()}
        return list(shown)


def loosened(rows: Iterable[Row]) -> list[Row]:
    """Make a pair of characters ``loose`` if it is much rarer than both pairs next to it.

    Such a pair consists of the end of one Chinese word and the beginning of the next, like ``入数``
    in ``输入数据``. It is no word itself, so it counts less.
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


def said_once(rows: Iterable[Row]) -> list[Row]:
    """Return the rows without those of a word that stands earlier in the query.

    Whoever writes "40 ms ... 220 ms" does not ask twice for "ms". Pairs of Chinese characters are
    all kept, because what is repeated there is mostly the subject.
    """
    kept: list[Row] = []
    seen: set[str] = set()
    for row in rows:
        slot = row[0]
        if slot.kind in _CHINESE or slot.term not in seen:
            kept.append(row)
        seen.add(slot.term)
    return kept


def _values(hits: Hits, twins: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield each original with how well it or its twin matches, whichever is better."""
    pages = hits.pages
    for page, (value, _) in pages.items():
        if page not in twins:
            other = pages.get(page + 1) if page + 1 in twins else None
            yield page, max(value, other[0]) if other else value
        elif page - 1 not in pages:
            yield page - 1, value


def score(
    rows: Sequence[Row], idf: Callable[[int], int], twins: Collection[int] = frozenset()
) -> Ranked:
    """Return the scores of all pages that match any slot.

    A score is the sum over the slots of rarity × weight of the slot's kind × value of the page,
    times a factor that grows with the square of the share of the query that the page covers. What
    the best block of the page contributes is added again with the weight ``TOGETHER``, and the sum
    is divided by ``1 + TOGETHER``.

    A page and its twin, which is in ``twins``, are one page in two languages: both get the same
    score, for which the words of either count. Each keeps its own blocks.
    """
    sums: dict[int, float] = {}
    covered: dict[int, float] = {}
    blocks: dict[int, dict[int, float]] = {}
    total = 0
    rows = [row for row in rows if row[1].found]
    slots = sum(slot.kind != "both" for slot, _ in rows)
    # The pairs of characters of one Chinese word overlap, so they always stand together.
    more = 0.0 if any(slot.kind in _CHINESE for slot, _ in rows) else TOGETHER
    least = min(MOST_COVERED, LEAST_COVERED + MORE_COVERED * max(0, slots - FEW_SLOTS))
    for slot, hits in rows:
        weight = idf(hits.df) * WEIGHTS[slot.kind]
        covers = 0 if slot.kind == "both" else weight
        total += covers
        for original, value in _values(hits, twins):
            sums[original] = sums.get(original, 0.0) + weight * value
            covered[original] = covered.get(original, 0) + covers
        for page, (value, block) in hits.pages.items():
            of_page = blocks.setdefault(page, {})
            of_page[block] = of_page.get(block, 0.0) + weight * value
    together: dict[int, float] = {}
    for page, of_page in blocks.items():
        original = page - 1 if page in twins else page
        together[original] = max(together.get(original, 0.0), *of_page.values())
    scores = {}
    for page, of_page in blocks.items():
        original = page - 1 if page in twins else page
        share = covered[original] / total if total else 1.0
        whole = (sums[original] + more * together[original]) / (1 + more)
        scores[page] = Scored(whole / SCALE * (least + (1 - least) * share * share), of_page)
    return Ranked(scores, {term for _, hits in rows for term, _ in hits.terms})


def best_block(page: int, ranked: Ranked) -> int:
    """Return the block that contributes most to a page's score; the first of several equal ones."""
    scored = ranked.scores.get(page)
    if scored is None or not scored.blocks:
        return 0
    return min(scored.blocks, key=lambda block: (-scored.blocks[block], block))
