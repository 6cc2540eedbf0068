"""The query engine over built shards; in the reader's browser ``engine.js`` does the same.

The engine splits a query into slots, each of which is one lookup in the sorted terms. A page's
score is the sum over the slots of how much the slot's terms say about the page, weighted by their
rarity, times a factor for how much of the query the page covers. Pages whose name is equal to the
whole query come first. If the query contains a glossary term, its other names are searched too,
with a lower weight. A test compares the order of results of the two engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from msgspec.structs import replace

from perfnotes.search.analysis import Analysis, Slot, analyse
from perfnotes.search.answer import OtherPlace, SearchAnswer, SearchResult
from perfnotes.search.confidence import QueryWeights, is_doubtful, least_score, worth_listing
from perfnotes.search.constants import LIGHTER, LIGHTEST
from perfnotes.search.expansion import add_names, expansions, joined_words
from perfnotes.search.first import first_slots
from perfnotes.search.landing import (
    fullest_section,
    opens_at_section,
    section_share,
)
from perfnotes.search.matching import SlotMatcher, pages_with_all
from perfnotes.search.parse import Query, parse
from perfnotes.search.phrases import block_with, with_phrases
from perfnotes.search.scoring import Ranked, Row, Scored, best_block, score
from perfnotes.search.store import ShardStore


class Engine:
    """Answers queries.

    ``read`` gives the bytes of a file below ``search/``, or None if there is no such file. Raises
    ``ValueError`` if there is no index, or one of another format.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self.store = ShardStore(read)
        self.terms = self.store.terms
        self._matcher = SlotMatcher(self.store)

    def search(
        self,
        text: str,
        lang: str = "en",
        limit: int = 10,
        *,
        expand: bool = True,
        facets: bool = False,
        first: bool = False,
    ) -> SearchAnswer:
        """Answer a query for a reader of the language ``lang``, with at most ``limit`` results.

        Without ``expand``, other names of glossary terms and hyphenated words joined into one are
        not searched. With ``facets``, the answer counts the pages of each facet. With ``first``,
        only the best ``PHRASE_STEP`` pages are searched for phrases.
        """
        self.store.missing = []
        query = parse(text)
        answer = SearchAnswer()
        found = analyse(query.words)
        ranked = self._rank(found, answer, expand=expand)
        if not found.slots and query.filters:
            pages = (p for p in range(self.terms.pages) if p not in self.store.notes)
            ranked = Ranked({p: Scored(1.0) for p in pages})
        least = least_score(scored.value for scored in ranked.scores.values())
        order, kept = self._order(query, ranked, lang, first=first)
        if query.phrases and not order:
            query = replace(query, phrases=())
            order, kept = self._order(query, ranked, lang)
            answer.is_loose = bool(order)
        ranked = kept
        if not (query.phrases or found.is_code):
            order = worth_listing(order, ranked.best, least)
        answer.total = len(order)
        phrases = _exact(query)
        answer.results = [r for p in order[:limit] if (r := self._result(p, ranked, phrases))]
        if not order:
            answer.suggestions = self._matcher.suggest(found)
        if text.strip() and not (query.filters or query.phrases):
            top = answer.results[0] if answer.results else None
            if top:
                answer.evidence = ranked.weights.evidence(
                    ranked.best[order[0]],
                    self.store.with_parts(order[0]),
                    len(answer.corrected),
                    is_note=top.type == "note",
                )
            # Pages that have the parts of a call alone, such as "stream", hardly answer for it.
            has_parts_alone = found.is_code and not ranked.weights.has_code and answer.evidence
            answer.is_weak = not top or bool(has_parts_alone) or is_doubtful(answer.evidence)
        if facets:
            answer.facets = self.store.facets.counts(order)
        answer.missing = list(dict.fromkeys(self.store.missing))
        return answer

    def _order(
        self, query: Query, ranked: Ranked, lang: str, *, first: bool = False
    ) -> tuple[list[int], Ranked]:
        """Return the pages that filters, phrases and excluded words leave, best first.

        ``first`` is that of ``search``. Also returns ``ranked`` without the pages that filters and
        single words have excluded.
        """
        kept = self._restrict(query, ranked)
        wanted = [value for kind, value in query.filters if kind == "lang"]
        order = kept.order(self.store.twins, wanted[-1] if wanted else lang)
        if phrases := _exact(query):
            steps = with_phrases(order, phrases, self.store.text)
            order = [page for step in (islice(steps, 1) if first else steps) for page in step]
        return order, kept

    def first_result_shards(self, text: str, lang: str = "en") -> list[str]:
        """Return the shards that the browser loads for its first results if ``text`` is pasted."""
        self.store.loaded = ["root"]
        query = parse(text)
        found = analyse(query.words)
        rows: list[Row] = []
        if not (query.filters or query.phrases or query.excluded):
            rows = self._first_rows(found)
        ranked = score(rows, self.terms.idf, self.store.twins)
        ranked.fold(self.store.notes, self.store.twins)
        for page in ranked.order(self.store.twins, lang)[:1]:
            self._result(page, ranked)
        if not ranked.scores:  # a filter, phrase or exclusion, or no match: answer the whole query
            self.search(text, lang, limit=1, first=True)
        return list(self.store.loaded)

    def _first_rows(self, found: Analysis) -> list[Row]:
        """Return the rows of the first group of slots that any page matches.

        If no page matches a slot, returns the first row of a correction or of a part of a compound.
        """
        for slots in first_slots(found, self.terms):
            direct = [(s, self.terms.match(s, prefix=found.is_prefix(s))) for s in slots]
            if rows := [row for row in direct if row[1].found]:
                return rows
        rest = (
            row
            for slot in found.slots
            for row in self._matcher.rows(slot, found, SearchAnswer(), most=1)
        )
        return next(([row] for row in rest if row[1].found), [])

    def _rank(self, found: Analysis, answer: SearchAnswer, *, expand: bool) -> Ranked:
        """Return all pages that match the query, with their scores; symptoms count for their notes.

        Corrections and other names that were searched are recorded in ``answer``.
        """
        rows = self._matcher.match(found, answer)
        ranked = score(rows, self.terms.idf, self.store.twins)
        subjects = self.store.subjects
        rival = max((s.value for p, s in ranked.scores.items() if p in subjects), default=0.0)
        ranked.weights = QueryWeights.of(rows, self.terms.idf, subjects, rival)
        add_names(found, ranked, self.terms)
        if expand:
            self._expand(found, ranked, answer)
        ranked.fold(self.store.notes, self.store.twins)
        return ranked

    def _expand(self, found: Analysis, ranked: Ranked, answer: SearchAnswer) -> None:
        """Search other names of what the query names, and hyphenated words joined into one."""
        for start, end, spelling in expansions(found, self.terms):
            other = analyse(spelling)
            rest = [s for s in found.slots if not start <= s.at < end]
            replaced = Analysis((*rest, *other.slots), other.key, other.bounds, found.signs)
            rows = self._matcher.match(replaced, None)
            # A page with only some words of the name, such as "initialization", is about other
            # things.
            variant = score(rows, self.terms.idf, self.store.twins)
            variant = variant.only(pages_with_all(other.slots, rows))
            # The longer the query, the more its other words tell what the reader wants.
            weight = LIGHTEST + (LIGHTER - LIGHTEST) * (end - start) / len(found.key)
            if ranked.take_better(variant, weight):
                answer.expanded.append(spelling)
        for start, end, joined in joined_words(found):
            rest = [s for s in found.slots if not start <= s.at < end]
            replaced = replace(found, slots=(*rest, Slot(joined, "word", start)))
            rows = self._matcher.match(replaced, None)
            ranked.take_better(score(rows, self.terms.idf, self.store.twins), 1.0)

    def _restrict(self, query: Query, ranked: Ranked) -> Ranked:
        """Return ``ranked`` without the pages that filters or excluded words rule out.

        Pages that lack a word of a phrase are left out as well.
        """
        if query.filters:
            facets = self.store.facets
            for kind, value in query.filters:
                ranked = ranked.only(facets.pages(kind, value))
        for words in query.phrases:
            ranked = ranked.only(self._pages_with_words(words))
        for words in query.excluded:
            twins = self.store.twins
            has = self._pages_with_words(words)
            # The words of a page count for its twin, so an excluded page takes its twin with it.
            others = {p - 1 if p in twins else p + 1 for p in has if p in twins or p + 1 in twins}
            ranked = ranked.without(has | others)
        return ranked

    def _pages_with_words(self, words: str) -> set[int]:
        """Return the pages that contain every one of the words."""
        pages: set[int] | None = None
        for slot in analyse(words).slots:
            hits = self.terms.match(slot, prefix=False)
            pages = set(hits.pages) if pages is None else pages & set(hits.pages)
        return pages or set()

    def _result(
        self, page: int, ranked: Ranked, phrases: Sequence[str] = ()
    ) -> SearchResult | None:
        """Return the result for a page, or None if the file of its best block is missing.

        If a block has one of ``phrases``, the result shows it and opens at its section.
        """
        scored = ranked.scores.get(page)
        score = scored.value if scored else 0.0
        at = best_block(page, ranked)
        exact = block_with(self.store.blocks(page), phrases) if phrases else None
        symptom = -1 if exact else ranked.answering_symptom(page, self.store.twins)
        if symptom >= 0 and (found := self.store.card(symptom, 0)):
            card, (anchor, see, confirm) = found
            result = SearchResult(*card, anchor, see, confirm, score, page, is_symptom=True)
            return replace(result, other=self._other_place(result, scored, at))
        found = self.store.card(page, at)
        if found is None:
            return None
        card, (anchor, section, text) = found
        share = section_share(scored.blocks, self.store.anchors(page, at), at) if scored else 0.0
        if exact:
            anchor, section, text = exact
        elif not opens_at_section(section, share, ranked.terms, ranked.weights):
            anchor = section = ""
        result = SearchResult(*card, anchor, section, text, score, page)
        return replace(result, other=self._other_place(result, scored, at))

    def _other_place(
        self, result: SearchResult, scored: Scored | None, at: int
    ) -> OtherPlace | None:
        """Return the place of a note where its result does not open but the answer may stand."""
        if result.type != "note" or "#" in result.url:
            return None
        if result.anchor:
            return OtherPlace()
        if not scored or not scored.blocks:
            return None
        fullest = fullest_section(scored.blocks, self.store.anchors(result.page, at), at)
        found = self.store.card(result.page, fullest) if fullest >= 0 else None
        return OtherPlace(*found[1][:2]) if found else None


def _exact(query: Query) -> list[str]:
    """Return the phrases that are looked for in texts; the index has the pages of a plain word."""
    return [phrase for phrase in query.phrases if not _is_word(phrase)]


def _is_word(phrase: str) -> bool:
    """Return whether a phrase is one plain word, whose pages the index has."""
    found = analyse(phrase).slots
    return len(found) == 1 and found[0].kind == "word" and found[0].term == phrase.lower()
