"""Glossary terms found in running text, so that the first use on a page can be marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perfnotes.model.term import Term
from perfnotes.text.inline import MarkdownDocument
from perfnotes.text.prose import has_cjk

_APART = r"(?<![\w/.@-])"  # not inside a word, a path or an address

# 最大页数 is the largest (最大) number of pages, not of huge pages (大页).
_MEASURES = "大小高低长短快慢多少"
_NOT_COMPARED = "(?<![最更较很太越])"


@dataclass(frozen=True, slots=True)
class Use:
    """An occurrence of a term (its id) in a text, from ``start`` to ``end``."""

    start: int
    end: int
    term: str


class TermFinder:
    """Finds the terms of one language."""

    def __init__(self, terms: Iterable[Term], lang: str) -> None:
        self._ids: dict[str, str] = {}
        self._found: dict[int, tuple[MarkdownDocument, list[Use]]] = {}  # by the document's id()
        patterns: list[tuple[int, str, str]] = []  # longest spelling first
        for term in terms:
            for spelling in _marked(term, lang):
                if not spelling or spelling in self._ids:
                    continue
                if has_cjk(spelling):
                    self._ids.setdefault(spelling, term.id)
                    pattern = _NOT_COMPARED * (spelling[0] in _MEASURES) + re.escape(spelling)
                elif spelling != spelling.lower() and not spelling.istitle():
                    self._ids.setdefault(spelling, term.id)
                    pattern = rf"{_APART}{re.escape(spelling)}(?:s\b)?(?![\w-])"
                else:
                    self._ids.setdefault(_fold(spelling), term.id)
                    gap = r"[\s-]+".join(re.escape(w) for w in re.split(r"[\s-]+", spelling))
                    pattern = rf"{_APART}(?i:{gap})(?:e?s)?(?![\w-])"
                patterns.append((-len(spelling), spelling.casefold()[:1], pattern))
        # Patterns are grouped by their first letter, so that few are tried at each place.
        by_letter: dict[str, list[str]] = {}
        for _, letter, pattern in sorted(patterns, key=lambda each: (each[0], each[2])):
            by_letter.setdefault(letter, []).append(pattern)
        self._patterns = {letter: "|".join(each) for letter, each in by_letter.items()}
        self._compiled: dict[str, re.Pattern[str]] = {}  # those of the letters that came up
        latin = "".join(re.escape(c) for c in by_letter if not has_cjk(c))
        chinese = "".join(re.escape(c) for c in by_letter if has_cjk(c))
        starts = [rf"{_APART}(?i:[{latin}])"] if latin else []
        starts += [f"[{chinese}]"] if chinese else []
        self._start = "|".join(starts)

    def first_uses(self, document: MarkdownDocument, skip: Iterable[str] = ()) -> list[Use]:
        """The first use of each term outside headings, code, links, math and tags.

        Terms whose id is in ``skip`` are left out.
        """
        found = self._found.get(id(document))
        if found is None or found[0] is not document:
            found = self._found[id(document)] = (document, list(self._first_uses(document)))
        left_out = {*skip}
        return [use for use in found[1] if use.term not in left_out]

    def _first_uses(self, document: MarkdownDocument) -> Iterator[Use]:
        seen = set()
        for start, end in _free(document):
            for match in self._matches(document.text, start, end):
                term = self._id(match[0])
                if term and term not in seen:
                    seen.add(term)
                    yield Use(match.start(), match.end(), term)

    def _matches(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """Every spelling found in a part of a text; at one place, the longest one."""
        if not self._start:
            return
        begins = re.compile(self._start)
        while place := begins.search(text, start, end):
            at = place.start()
            pattern = self._pattern(place[0].casefold()[:1])
            found = pattern.match(text, at, end) if pattern else None
            if found:
                yield found
            start = found.end() if found else at + 1

    def _pattern(self, letter: str) -> re.Pattern[str] | None:
        """What finds the spellings that begin with a letter; compiling all takes long."""
        if letter not in self._compiled and letter in self._patterns:
            self._compiled[letter] = re.compile(self._patterns[letter])
        return self._compiled.get(letter)

    def _id(self, found: str) -> str | None:
        """The id of the term that is spelt ``found``, perhaps in the plural; or None."""
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
    """The spellings that are marked in running text.

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


def _fold(text: str) -> str:
    return " ".join(re.split(r"[\s-]+", text.lower()))


def _free(document: MarkdownDocument) -> Iterator[tuple[int, int]]:
    """The ranges of running text, as (start, end) offsets."""
    blocks = document.blocks
    taken = list(document.code)
    taken += [(h.start, h.end) for h in blocks.headings]
    taken += [(f.start, f.end) for f in blocks.fences]
    taken += [
        (d.start, document.text.find("\n", d.start) % (len(document.text) + 1))
        for d in blocks.definitions
    ]
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
