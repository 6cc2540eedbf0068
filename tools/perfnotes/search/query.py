"""The query engine over built shards; its twin in the reader's browser is ``search.js``.

The engine splits a query into slots, each of which is one lookup in the sorted terms. A page's
score is the sum over the slots of how much the slot's terms say about the page, weighted by their
rarity, times a factor for how much of the query the page covers. Pages whose name is equal to the
whole query come first. If the query contains a glossary term, its other names are searched too,
with a lower weight. The reader's browser runs ``engine.js``, which does the same; a test compares
the order of results of the two engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, pairwise

from perfnotes.search.analysis import Analysis, Slot, analyse
from perfnotes.search.answer import SearchAnswer, SearchResult
from perfnotes.search.confidence import Asked, is_doubtful, least_score, worth_listing
from perfnotes.search.constants import LIGHTER, LIGHTEST, MOST_CORRECTIONS, MOST_EXPANSIONS
from perfnotes.search.first import first_slots
from perfnotes.search.landing import opens_at_remedy, opens_at_section, section_share
from perfnotes.search.lookup import Hits
from perfnotes.search.parse import Query, parse
from perfnotes.search.phrases import with_phrases
from perfnotes.search.scoring import Ranked, Row, Scored, best_block, loosened, score
from perfnotes.search.spelling import allowed, nearest
from perfnotes.search.store import ShardStore


class Engine:
    """Answers queries.

    ``read`` gives the bytes of a file below ``search/``, or None if there is no such file. Raises
    ``ValueError`` if there is no index, or one of another format.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self.store = ShardStore(read)
        self.terms = self.store.terms

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
        not searched. With ``first``, pages are searched for phrases only until some have them.
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
        if not query.phrases:
            order = worth_listing(order, ranked.best, least)
        answer.total = len(order)
        answer.results = [r for p in order[:limit] if (r := self._result(p, ranked))]
        if not order:
            answer.suggestions = self._suggest(found)
        if text.strip() and not (query.filters or query.phrases):
            first = answer.results[0] if answer.results else None
            if first:
                answer.evidence = ranked.asked.evidence(
                    ranked.best[order[0]], len(answer.corrected), is_note=first.type == "note"
                )
            answer.is_weak = not first or is_doubtful(answer.evidence)
        if facets:
            answer.facets = self.store.facets.counts(order)
        answer.missing = list(dict.fromkeys(self.store.missing))
        return answer

    def _order(
        self, query: Query, ranked: Ranked, lang: str, *, first: bool = False
    ) -> tuple[list[int], Ranked]:
        """Return the pages that filters, phrases and excluded words leave, best first.

        With ``first``, pages are searched for phrases only until some have them.
        """
        kept = self._restrict(query, ranked)
        wanted = [value for kind, value in query.filters if kind == "lang"]
        order = kept.order(self.store.twins, wanted[-1] if wanted else lang)
        phrases = [p for p in query.phrases if not _is_word(p)]
        if phrases:
            steps = with_phrases(order, phrases, self.store.text)
            order = [page for step in (islice(steps, 1) if first else steps) for page in step]
        return order, kept

    def first_paint(self, text: str, lang: str = "en") -> list[str]:
        """Return the shards that the browser loads for its first results if ``text`` is pasted."""
        self.store.loaded = ["root"]
        query = parse(text)
        found = analyse(query.words)
        rows: list[Row] = []
        if not (query.filters or query.phrases or query.excluded):
            rows = self._first_rows(found)
        ranked = score(rows, self.terms.idf)
        ranked.fold(self.store.notes, self.store.twins)
        for page in ranked.order(self.store.twins, lang)[:1]:
            self._result(page, ranked)
        if not ranked.scores:  # a filter, phrase or exclusion, or no match: answer all of it
            self.search(text, lang, limit=1, first=True)
        return list(self.store.loaded)

    def _first_rows(self, found: Analysis) -> list[Row]:
        """Return the first group of slots that any page matches.

        If no page matches a slot, return the first row that ``_rows`` finds instead.
        """
        for slots in first_slots(found, self.terms):
            direct = [(s, self.terms.match(s, prefix=found.is_prefix(s))) for s in slots]
            if rows := [row for row in direct if row[1].found]:
                return rows
        rest = (
            row for slot in found.slots for row in self._rows(slot, found, SearchAnswer(), most=1)
        )
        return next(([row] for row in rest if row[1].found), [])

    def _rank(self, found: Analysis, answer: SearchAnswer, *, expand: bool) -> Ranked:
        rows = self._match(found, answer)
        ranked = score(rows, self.terms.idf)
        subjects = self.store.subjects
        rival = max((s.value for p, s in ranked.scores.items() if p in subjects), default=0.0)
        ranked.asked = Asked.of(rows, self.terms.idf, subjects, rival)
        self._add_names(found, ranked)
        if expand:
            self._expand(found, ranked, answer)
        ranked.fold(self.store.notes, self.store.twins)
        return ranked

    def _expand(self, found: Analysis, ranked: Ranked, answer: SearchAnswer) -> None:
        """Search other names of what the query names, and hyphenated words joined into one."""
        for start, end, spelling in self._expansions(found):
            other = analyse(spelling)
            mine = [s for s in found.slots if not start <= s.at < end]
            moved = Analysis((*mine, *other.slots), other.key, other.bounds, found.signs)
            variant = score(self._match(moved, None), self.terms.idf)
            # The longer the query, the more its other words tell what the reader wants.
            weight = LIGHTEST + (LIGHTER - LIGHTEST) * (end - start) / len(found.key)
            if ranked.take(variant, weight):
                answer.expanded.append(spelling)
        for start, end, joined in _joins(found):
            mine = [s for s in found.slots if not start <= s.at < end]
            slots = (*mine, Slot(joined, "word", start))
            moved = replace(found, slots=slots)
            ranked.take(score(self._match(moved, None), self.terms.idf), 1.0)

    def _match(self, found: Analysis, answer: SearchAnswer | None) -> list[Row]:
        rows = loosened(row for slot in found.slots for row in self._rows(slot, found, answer))
        rows += self._neighbours(found)
        rows += self._signs(found)
        return rows

    def _rows(
        self, slot: Slot, found: Analysis, answer: SearchAnswer | None, most: int = MOST_CORRECTIONS
    ) -> Iterator[Row]:
        """Yield a slot with its pages.

        If no page matches, a word is corrected. For a compound these are tried in turn: its ends, a
        correction, its parts. With ``answer`` None nothing is corrected.
        """
        prefix = found.is_prefix(slot)
        hits = self.terms.match(slot, prefix=prefix)
        if hits.found or slot.kind != "code":
            yield slot, hits if hits.found else self._corrected(slot, answer, most, prefix=prefix)
        elif ended := self._ended(slot):
            yield ended
        elif (near := self._corrected(slot, answer, most, prefix=False)).found:
            yield slot, near
        else:
            for part in slot.parts:
                small = Slot(part, "word", slot.at)
                prefix = slot is found.slots[-1] and part is slot.parts[-1]
                hits = self.terms.match(small, prefix=prefix)
                if not hits.found:
                    hits = self._corrected(small, answer, most, prefix=prefix)
                yield small, hits

    def _neighbours(self, found: Analysis) -> list[Row]:
        """Return rows for each two neighbouring words of the query, joined into one.

        The index has such joined words of names and headings; a page with one gets a bonus. Only
        shards that the slots need anyway are looked at.
        """
        there = frozenset(
            n for s in found.slots for n in self.terms.shards(s, prefix=found.is_prefix(s))
        )
        rows = []
        for a, b in pairwise(found.slots):
            if a.kind == b.kind == "word" and a.at + len(a.term) == b.at:
                joined = Slot(a.term + b.term, "word", a.at)
                hits = self.terms.match(joined, prefix=b is found.slots[-1], only=there)
                rows.append((Slot(joined.term, "both", a.at), hits))
        return rows

    def _signs(self, found: Analysis) -> list[Row]:
        """Return a row for each sign such as ``[[`` that some name or heading has."""
        slots = (Slot(sign, "code", len(found.key)) for sign in found.signs)
        rows = ((slot, self.terms.match(slot, prefix=False)) for slot in slots)
        return [row for row in rows if row[1].found]

    def _ended(self, slot: Slot) -> Row | None:
        """Look up a compound without its beginning: ``nthelement`` for ``std::nth_element``."""
        for end in slot.ends:
            shorter = Slot(end, "code", slot.at)
            hits = self.terms.match(shorter, prefix=True)
            if hits.found:
                return shorter, hits
        return None

    def _corrected(
        self, slot: Slot, answer: SearchAnswer | None, most: int, *, prefix: bool
    ) -> Hits:
        """Return the pages of the words that a slot without pages probably means.

        The nearest word is added to ``answer.corrected``.
        """
        slips = allowed(slot.term)
        is_fixed = slot.is_name or "-" in slot.term
        if answer is None or not slips or is_fixed or not slot.term.isascii():
            return Hits()
        found = self._nearest(slot.term, prefix=prefix, most=slips)[:most]
        chosen = [(word, 90 - 20 * slips) for word, slips in found]
        answer.corrected += [(slot.term, word) for word, _ in chosen[:1]]
        return self.terms.words(chosen)

    def _nearest(self, typed: str, *, prefix: bool, most: int) -> list[tuple[str, int]]:
        for words in self.store.spelled(typed):
            if found := nearest(typed, words, prefix=prefix, most=most):
                return found
        return nearest(typed, self.store.respelled(typed), prefix=prefix, most=most)

    def _add_names(self, found: Analysis, ranked: Ranked) -> None:
        """Put pages whose name is the whole query first; favour those with a name in the query."""
        for i, slot in enumerate(found.slots):
            for name in self.terms.names(slot.term):
                if name.key == found.key and i == 0:
                    ranked.name(name.pages)
                elif _has_name_at(name.key, slot.at, found):
                    share = len(name.key) / len(found.key)
                    ranked.favour(name.pages, 0.3 * share)

    def _expansions(self, found: Analysis) -> list[tuple[int, int, str]]:
        """Return other names of the things that the query names, with the range that each replaces.

        The range is one of offsets in the query's key. A name inside a longer one is no name of its
        own: "cache miss" in "cache miss rate". Of each thing the first other name comes before the
        second of any.
        """
        names = [
            (slot.at, end, name.spellings)
            for slot in found.slots
            for name in self.terms.names(slot.term)
            if name.spellings and (end := _name_end(name.key, slot.at, found))
        ]
        rows: list[tuple[int, int, int, str]] = []
        seen: set[str] = set()
        for start, end, spellings in names:
            if any(a <= start and end <= b and b - a > end - start for a, b, _ in names):
                continue
            rank = 0
            for spelling in spellings:
                key = analyse(spelling).key
                if key not in seen and key not in found.key:
                    seen.add(key)
                    rows.append((rank, start, end, spelling))
                    rank += 1
        rows.sort(key=lambda row: row[0])
        return [(start, end, spelling) for _, start, end, spelling in rows[:MOST_EXPANSIONS]]

    def _restrict(self, query: Query, ranked: Ranked) -> Ranked:
        if query.filters:
            facets = self.store.facets
            for kind, value in query.filters:
                keep = facets.pages(kind, value)
                ranked = ranked.only(keep)
        for words in query.phrases:
            ranked = ranked.only(self._all_of(words))
        for words in query.excluded:
            ranked = ranked.without(self._all_of(words))
        return ranked

    def _all_of(self, words: str) -> set[int]:
        """Return the pages that contain every one of the words."""
        pages: set[int] | None = None
        for slot in analyse(words).slots:
            hits = self.terms.match(slot, prefix=False)
            pages = set(hits.pages) if pages is None else pages & set(hits.pages)
        return pages or set()

    def _suggest(self, found: Analysis) -> list[str]:
        suggestions: list[str] = []
        for slot in found.slots:
            if slot.kind in ("word", "code") and slot.term.isascii() and len(slot.term) > 2:
                suggestions += [word for word, _ in self._nearest(slot.term, prefix=True, most=3)]
        return list(dict.fromkeys(suggestions))[:6]

    def _result(self, page: int, ranked: Ranked) -> SearchResult | None:
        scored = ranked.scores.get(page)
        score = scored.value if scored else 0.0
        at = best_block(page, ranked)
        slots = ranked.asked.slots
        symptom = ranked.symptom(page, self.store.twins)
        if symptom >= 0 and (found := self.store.card(symptom, 0)):
            card, (anchor, see, confirm) = found
            landing = anchor if opens_at_remedy(slots) else ""
            return SearchResult(*card, landing, see, confirm, score, page, is_symptom=True)
        found = self.store.card(page, at)
        if found is None:
            return None
        card, (anchor, section, text) = found
        share = section_share(scored.blocks, self.store.anchors(page, at), at) if scored else 0.0
        if not opens_at_section(section, share, ranked.terms, ranked.asked):
            anchor = section = ""
        return SearchResult(*card, anchor, section, text, score, page)


def _has_name_at(key: str, at: int, found: Analysis) -> bool:
    """Return whether the query has a name at offset ``at`` that ends where a word ends."""
    return found.key.startswith(key, at) and at + len(key) in found.bounds


def _name_end(key: str, at: int, found: Analysis) -> int:
    """Return the offset after a name at ``at``, or after its plural; 0 if it is not there."""
    end = at + len(key)
    if not found.key.startswith(key, at):
        return 0
    if end in found.bounds:
        return end
    return end + 1 if found.key.startswith("s", end) and end + 1 in found.bounds else 0


def _joins(found: Analysis) -> list[tuple[int, int, str]]:
    """Return each hyphenated word of the query joined into one, with its range in the key."""
    return [(s.at, s.at + len(s.joined), s.joined) for s in found.slots if s.joined]


def _is_word(phrase: str) -> bool:
    """Return whether a phrase is one plain word: then the index alone tells its pages."""
    found = analyse(phrase).slots
    return len(found) == 1 and found[0].kind == "word" and found[0].term == phrase.lower()
