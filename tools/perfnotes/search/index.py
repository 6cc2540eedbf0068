"""The Index: which pages hold a term, how much it says about each, and in which block most.

Documents are added one by one; a posting is made at once from one document alone, so the index
needs no second look at the texts. How much a term says about a page (its impact, 0 to 29) has a
part for the title and other names, one for headings and one for the text, in which more
occurrences count less and less, and less in a long page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import add

from perfnotes.search.analysis import STOP, key_of
from perfnotes.search.codec import LEVELS
from perfnotes.search.document import Block, Document
from perfnotes.search.tokens import is_cjk, terms_of, words_of

MOST_BLOCKS = 250  # of a page that postings tell apart
ROLES = {"w": 1.0, "p": 0.6, "j": 0.6, "u": 0.5}
NAME, HEADING, TEXT = 0.42, 0.16, 0.42  # the parts of an impact
_CODE, _TAG, _EXTRA, _PATH = 0.7, 0.45, 0.5, 0.5
_HALF, _LENGTH, _SLOPE, _LONGEST = 3.0, 500.0, 0.45, 6.0
_LEAD, _LEADING = 1.0, 120  # the first tokens of a page count more: they say what it is about
_FIRST_CJK = "\u3005"


@dataclass
class Exact:
    """The pages that a name answers, titles first, and what else a glossary term is called."""

    pages: dict[int, int] = field(default_factory=dict)  # page → rank
    spellings: tuple[str, ...] = ()


@dataclass
class _Page:
    """What one document's terms come to; ``block`` says where each stands most."""

    total: dict[str, float] = field(default_factory=dict)
    block: dict[str, int] = field(default_factory=dict)
    names: dict[str, float] = field(default_factory=dict)
    headings: dict[str, float] = field(default_factory=dict)
    length: float = 0.0


class Index:
    """``postings`` hold five bytes each: page (three), impact and block."""

    def __init__(self) -> None:
        self.pages = 0
        self.postings: dict[str, bytes | bytearray] = {}
        self.names: dict[str, dict[str, Exact]] = {}  # first term → key → pages
        self.titled: set[str] = set()  # terms of titles and headings

    def add(self, document: Document) -> int:
        """Add a document; its number."""
        number = self.pages
        self.pages += 1
        self._add_names(document, number)
        if document.is_copy:
            return number
        page = _Page()
        _add_blocks(page, document.blocks[:MOST_BLOCKS])
        _add_fields(page, document)
        self._store(page, number)
        return number

    def _add_names(self, document: Document, number: int) -> None:
        for name in document.names:
            key, first = key_of(name)
            if not key:
                continue
            exact = self.names.setdefault(first, {}).setdefault(key, Exact())
            rank = 0 if name == document.title else 1
            exact.pages[number] = min(rank, exact.pages.get(number, rank))
        for group in document.groups:
            for name in group:
                key, first = key_of(name)
                if key:
                    exact = self.names.setdefault(first, {}).setdefault(key, Exact())
                    others = (s for s in group if s != name)
                    exact.spellings = tuple(dict.fromkeys((*exact.spellings, *others)))

    def _store(self, page: _Page, number: int) -> None:
        norm = 1 - _SLOPE + _SLOPE * min(_LONGEST, max(1.0, page.length / _LENGTH))
        half = _HALF * norm
        names, headings, block = page.names, page.headings, page.block
        postings = self.postings
        head = number << 16
        special = names.keys() | headings.keys()
        self.titled |= special
        for term in special:
            page.total.setdefault(term, 0.0)
        text = TEXT * LEVELS
        for term, count in page.total.items():
            said = text * count / (count + half)
            if term in special:
                said += LEVELS * (NAME * names.get(term, 0.0) + HEADING * headings.get(term, 0.0))
            impact = int(said) if said < LEVELS else LEVELS - 1
            packed = (head | impact << 8 | block.get(term, 0)).to_bytes(5, "big")
            known = postings.get(term)
            if known is None:
                postings[term] = packed
            elif type(known) is bytearray:
                known += packed
            else:
                postings[term] = bytearray(known + packed)


def _found(text: str) -> list[str]:
    """The tokens of a text; of runs of Chinese characters every pair, and the last of them."""
    found = words_of(text)
    if text.isascii():
        return found
    tokens: list[str] = []
    for token in found:
        if token[0] < _FIRST_CJK or not is_cjk(token):
            tokens.append(token)
        else:
            tokens += map(add, token, token[1:])
            tokens.append(token[-1])
    return tokens


@lru_cache(maxsize=60_000)
def _terms(token: str) -> tuple[tuple[str, float], ...]:
    """The terms of what ``_found`` gives, each with the share of a count that is its own."""
    if token[0] < _FIRST_CJK or not is_cjk(token):
        return tuple((term, ROLES[role]) for term, role in terms_of(token))
    return ((token, ROLES["w" if len(token) > 1 else "u"]),)


def _add_blocks(page: _Page, blocks: Sequence[Block]) -> None:
    """Count a page's tokens; only then, each once, are they taken apart into terms."""
    texts: list[str] = []
    codes: list[str] = []
    lead: list[str] = []
    best: dict[str, int] = {}
    where: dict[str, int] = {}
    for i, block in enumerate(blocks):
        for words, kind in ((block.text, texts), (block.code, codes)):
            if not words:
                continue
            found = _found(words)
            if kind is texts and not texts:
                lead = found[:_LEADING]
            kind.extend(found)
            for token, count in Counter(found).items():
                if token not in best or count > best[token]:
                    best[token] = count
                    where[token] = i
    page.length = len(texts) + len(codes)
    counts: dict[str, float] = dict(Counter(texts))
    for token in lead:
        counts[token] += _LEAD
    for token, count in Counter(codes).items():
        counts[token] = counts.get(token, 0.0) + _CODE * count
    total, place = page.total, page.block
    most: dict[str, int] = {}
    for token, said in counts.items():
        for term, share in _terms(token):
            if term not in total:
                total[term] = said * share
                most[term] = best[token]
                place[term] = where[token]
                continue
            total[term] += said * share
            if best[token] > most[term]:
                most[term] = best[token]
                place[term] = where[token]
    for i, block in enumerate(blocks):
        if block.heading:
            _add_heading(page, i, block.heading)


def _neighbours(tokens: Sequence[str]) -> list[str]:
    """Each two neighbouring words of a name as one: ``cacheline`` of "Cache line"."""
    joined: list[str] = []
    before = ""
    for token in tokens:
        terms = _terms(token)
        if len(terms) == 1 and terms[0][0] in STOP:
            continue
        word = terms[0][0] if len(terms) == 1 and token[0] < _FIRST_CJK else ""
        if before and word:
            joined.append(before + word)
        before = word
    return joined


def _add_heading(page: _Page, number: int, heading: str) -> None:
    """A heading's words, which also say in which block its terms stand most."""
    found = _found(heading)
    share = 1.0 / (0.7 + 0.1 * max(3, len(found)))
    for token in found:
        for term, part in _terms(token):
            said = share * part
            if said > page.headings.get(term, 0.0):
                page.headings[term] = said
                page.block[term] = number
    for term in _neighbours(found):
        if term not in page.headings:
            page.headings[term] = share
            page.block[term] = number


def _add_fields(page: _Page, document: Document) -> None:
    _add_name(page, document.title, 1.0)
    for name in document.names:
        if name != document.title:
            _add_name(page, name, 0.9)
    for name in document.tag_names:
        _add_name(page, name, _TAG)
    _add_name(page, document.extra, _EXTRA)
    _add_name(page, document.id.replace("/", " ").replace("-", " "), _PATH)


def _add_name(page: _Page, name: str, weight: float) -> None:
    found = _found(name)
    share = weight / (0.55 + 0.15 * max(3, len(found)))
    for token in found:
        for term, part in _terms(token):
            said = min(1.0, share * part)
            if said > page.names.get(term, 0.0):
                page.names[term] = said
    for term in _neighbours(found):
        page.names[term] = max(page.names.get(term, 0.0), min(1.0, share))
