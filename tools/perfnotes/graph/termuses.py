"""Finds glossary terms in running text, so that the first use on a page can be marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from perfnotes.model.term import Term
from perfnotes.source.read.memo import Memo
from perfnotes.storage.digests import digest
from perfnotes.text.body import Body
from perfnotes.text.chinese import has_cjk
from perfnotes.text.tokens import MarkdownDocument

_APART = r"(?<![\w/.@-])"  # not inside a word, a path or an address

# A term does not match where its first sign belongs to the word before it: in 最大页数 (largest
# number of pages) the 大 of 大页 (huge page) belongs to 最大 (largest).
_MEASURES = "大小高低长短快慢多少"
_COMPARED = "最更较很太越"

_MOST_TEXTS = 20_000

# Spellings and words are compared by the letters and digits that they begin with, at most so many.
_LETTERS = 6
_BEGINNING = re.compile(f"[A-Za-z0-9]{{0,{_LETTERS}}}")
_END = "."  # follows the letters of a word that has fewer than that
# What a word of a text may have after the first word of a spelling: nothing, or the ending of a
# plural. If the word was cut after ``_LETTERS``, only a part of the ending may be left.
_AFTER_WORD = ("", "e", "s", "es", _END, f"s{_END}", f"es{_END}")


class Use(Struct, frozen=True):
    """An occurrence of a term (its id) in a text, from ``start`` to ``end``."""

    start: int
    end: int
    term: str


class TermFinder:
    """Finds the terms of one language. ``memo`` remembers which terms a text uses."""

    def __init__(self, terms: Iterable[Term], lang: str, memo: Memo | None = None) -> None:
        self._memo = memo or Memo()
        self._ids: dict[str, str] = {}
        self._found: dict[int, tuple[Body, list[Use]]] = {}  # by the id() of the body
        # The spellings by their first character, the longest first, so that few are tried at each
        # place. ``_patterns`` has the beginning, pattern and ending of those that do not begin
        # with a Chinese character.
        self._chinese: dict[str, list[str]] = {}
        self._patterns: dict[str, list[tuple[str, str, str]]] = {}
        patterns: list[tuple[str, str, str]] = []
        for term in terms:
            for spelling in _marked(term, lang):
                if not spelling or spelling in self._ids:
                    continue
                if has_cjk(spelling):
                    self._ids.setdefault(spelling, term.id)
                    patterns.append((spelling, re.escape(spelling), ""))
                elif spelling != spelling.lower() and not spelling.istitle():
                    self._ids.setdefault(spelling, term.id)
                    patterns.append((spelling, re.escape(spelling), r"(?:s\b)?(?![\w-])"))
                else:
                    self._ids.setdefault(_fold(spelling), term.id)
                    gap = r"[\s-]+".join(re.escape(w) for w in re.split(r"[\s-]+", spelling))
                    patterns.append((spelling, f"(?i:{gap})", r"(?:e?s)?(?![\w-])"))
        patterns.sort(key=lambda each: (-len(each[0]), each[1:]))
        self._spellings_digest = digest(*(f"{key}\n{id}" for key, id in self._ids.items()))
        for spelling, pattern, ending in patterns:
            letter = spelling.casefold()[:1]
            if has_cjk(letter):
                self._chinese.setdefault(letter, []).append(spelling)
            else:
                found = self._patterns.setdefault(letter, [])
                found.append((_beginning(spelling), pattern, ending))
        self._compiled: dict[tuple[str, str], re.Pattern[str] | None] = {}
        latin = "".join(map(re.escape, self._patterns))
        chinese = "".join(map(re.escape, self._chinese))
        starts = [rf"{_APART}(?i:[{latin}])"] if latin else []
        starts += [f"[{chinese}]"] if chinese else []
        self._start = "|".join(starts)

    def first_uses(self, body: Body, skip: Iterable[str] = ()) -> list[Use]:
        """The first use of each term outside headings, code, links, math and tags.

        Terms whose id is in ``skip`` are left out.
        """
        if not self._ids:
            return []
        found = self._found.get(id(body))
        if found is None or found[0] is not body:
            if len(self._found) > _MOST_TEXTS:  # most are texts as they were before edits
                self._found.clear()
            uses = body.computed(
                "first uses", self._spellings_digest, lambda: self._uses_in(body.document)
            )
            found = self._found[id(body)] = (body, uses)
        left_out = {*skip}
        return [use for use in found[1] if use.term not in left_out]

    def _uses_in(self, document: MarkdownDocument) -> list[Use]:
        """Find the terms, or take them from the store, where a text is known by its content."""
        known = ("first uses", self._spellings_digest, digest(str(document.start), document.text))
        return self._memo.of(lambda: list(self._first_uses(document)), [], *known)

    def _first_uses(self, document: MarkdownDocument) -> Iterator[Use]:
        seen = set()
        for start, end in _running_text(document):
            for at, after in self._matches(document.text, start, end):
                term = self._id(document.text[at:after])
                if term and term not in seen:
                    seen.add(term)
                    yield Use(at, after, term)

    def _matches(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the range of each spelling in a part of a text; at one place, of the longest."""
        if not self._start:
            return
        begins = re.compile(self._start)
        while place := begins.search(text, start, end):
            at = place.start()
            after = self._end(place[0].casefold()[:1], text, at, end)
            if after:
                yield at, after
            start = after or at + 1

    def _end(self, letter: str, text: str, at: int, end: int) -> int:
        """Return where the longest spelling at ``at`` ends; 0 if none begins there."""
        if letter in self._chinese:
            if letter in _MEASURES and at and text[at - 1] in _COMPARED:
                return 0
            for spelling in self._chinese[letter]:
                if text.startswith(spelling, at, end):
                    return at + len(spelling)
            return 0
        pattern = self._pattern(letter, _beginning_in(text, at))
        match = pattern.match(text, at, end) if pattern else None
        return match.end() if match else 0

    def _pattern(self, letter: str, beginning: str) -> re.Pattern[str] | None:
        """Return a pattern for the spellings that a word with this beginning may be; None if none.

        Patterns are compiled when they are needed, because most words of a text begin like no term.
        """
        key = letter, beginning
        if key not in self._compiled:
            fitting = (
                (pattern, ending)
                for of, pattern, ending in self._patterns.get(letter, ())
                if _may_begin(of, beginning)
            )
            parts = [
                f"(?:{'|'.join(pattern for pattern, _ in group)}){ending}"
                for ending, group in groupby(fitting, key=itemgetter(1))
            ]
            self._compiled[key] = re.compile("|".join(parts)) if parts else None
        return self._compiled[key]

    def _id(self, found: str) -> str | None:
        """Return the id of the term that is spelt ``found``, perhaps in the plural; or None."""
        id = self._ids.get(found) or self._ids.get(found.removesuffix("s"))
        folded = _fold(found)
        return id or next(
            (
                self._ids[name]
                for name in (folded, folded.removesuffix("s"), folded.removesuffix("es"))
                if name in self._ids
            ),
            None,
        )


def _marked(term: Term, lang: str) -> list[str]:
    """Return the spellings of a term that are marked in running text, its name first.

    Short aliases ("splitting", "流") are left out: they find their term in a search, but in running
    text they are often everyday words.
    """
    name, *others = term.spellings(lang)
    aliases = term.aliases_zh if lang == "zh" else term.aliases_en
    return [name] + [o for o in others if o not in aliases or _is_distinct(o)]


def _is_distinct(alias: str) -> bool:
    if has_cjk(alias):
        return len(alias) >= 3
    return bool(re.search(r"[\s_-]|[A-Z].*[A-Z]", alias))


def _beginning(spelling: str) -> str:
    """The ASCII letters and digits that a spelling begins with, in lower case."""
    found = _BEGINNING.match(spelling)
    return found[0].lower() if found else ""


def _beginning_in(text: str, at: int) -> str:
    """Return the letters and digits of the word at ``at``, and ``_END`` if these are all of it.

    A word that goes on with a character outside ASCII has no ``_END``, because a pattern may match
    that character as a letter: ``(?i:k)`` matches the sign for kelvin.
    """
    found = _BEGINNING.match(text, at)
    word = found[0].lower() if found else ""
    return word if len(word) == _LETTERS or text[at + len(word) :][:1] > "\x7f" else word + _END


def _may_begin(spelling: str, text: str) -> bool:
    """Whether a spelling with the beginning ``spelling`` may match a word with that of ``text``."""
    if not text.startswith(spelling):
        return spelling.startswith(text)
    return len(spelling) == _LETTERS or text[len(spelling) :] in _AFTER_WORD


def _fold(text: str) -> str:
    return " ".join(re.split(r"[\s-]+", text.lower()))


def _running_text(document: MarkdownDocument) -> Iterator[tuple[int, int]]:
    """Yield the ranges of running text, as (start, end) offsets."""
    blocks = document.blocks
    taken = list(document.code)
    taken += [(h.start, h.end) for h in blocks.headings]
    taken += [(f.start, f.end) for f in blocks.fences]
    taken += [(d.start, d.end) for d in blocks.definitions]
    tokens = (document.links, document.wikis, document.citations, document.maths, document.tags)
    for group in tokens:
        taken += [(t.start, t.end) for t in group]
    at = document.start
    for start, end in sorted(taken):
        if start > at:
            yield at, start
        at = max(at, end)
    if at < len(document.text):
        yield at, len(document.text)
