"""The Index: which pages hold a term, how much it says about each, and in which block most.

Documents are added one by one; a posting is made at once from one document alone, so the index
needs no second look at the texts. How much a term says about a page (its impact, 0 to 29) has a
part for the title and other names, one for headings and one for the text, in which more
occurrences count less and less, and less in a long page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from perfnotes.search.analysis import key_of
from perfnotes.search.codec import LEVELS
from perfnotes.search.document import Document
from perfnotes.search.tokens import TOKEN, fold, terms_of

MOST_BLOCKS = 250  # of a page that postings tell apart
ROLES = {"w": 1.0, "p": 0.6, "j": 0.6, "u": 0.5}
NAME, HEADING, TEXT = 0.42, 0.16, 0.42  # the parts of an impact
_CODE, _TAG, _EXTRA, _PATH = 0.7, 0.45, 0.5, 0.5
_HALF, _LENGTH, _SLOPE = 1.6, 500.0, 0.35


@dataclass
class Exact:
    """The pages that a name answers, titles first, and what else a glossary term is called."""

    pages: dict[int, int] = field(default_factory=dict)  # page → rank
    spellings: tuple[str, ...] = ()


@dataclass
class _Page:
    """What one document's terms come to."""

    total: dict[str, float] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)
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
        for i, block in enumerate(document.blocks[:MOST_BLOCKS]):
            _add_text(page, i, _counts(block.text), _counts(block.code))
            if block.heading:
                _add_heading(page, i, block.heading)
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
        for name in document.spellings:
            key, first = key_of(name)
            if key:
                exact = self.names.setdefault(first, {}).setdefault(key, Exact())
                others = (s for s in document.spellings if s != name)
                exact.spellings = tuple(dict.fromkeys((*exact.spellings, *others)))

    def _store(self, page: _Page, number: int) -> None:
        norm = 1 - _SLOPE + _SLOPE * min(4.0, page.length / _LENGTH)
        half = _HALF * norm
        names, headings, block = page.names, page.headings, page.block
        postings = self.postings
        head = number << 16
        for term in names:
            page.total.setdefault(term, 0.0)
        for term, count in page.total.items():
            said = TEXT * count / (count + half)
            if term in names:
                said += NAME * names[term]
                self.titled.add(term)
            if term in headings:
                said += HEADING * headings[term]
                self.titled.add(term)
            impact = int(said * LEVELS)
            value = head | (min(impact, LEVELS - 1) << 8) | block.get(term, 0)
            packed = value.to_bytes(5, "big")
            known = postings.get(term)
            if known is None:
                postings[term] = packed
            elif type(known) is bytearray:
                known += packed
            else:
                postings[term] = bytearray(known + packed)


def unpack(packed: bytes | bytearray) -> Iterable[tuple[int, int, int]]:
    """The postings of a term: page, impact, block."""
    for at in range(0, len(packed), 5):
        page = packed[at] << 16 | packed[at + 1] << 8 | packed[at + 2]
        yield page, packed[at + 3], packed[at + 4]


def _counts(text: str) -> Counter[str]:
    return Counter(TOKEN.findall(fold(text))) if text else Counter()


def _add_text(page: _Page, number: int, words: Counter[str], code: Counter[str]) -> None:
    local: dict[str, float] = {}
    for counts, weight in ((words, 1.0), (code, _CODE)):
        for token, count in counts.items():
            page.length += count
            by = count * weight
            for term, role in terms_of(token):
                local[term] = local.get(term, 0.0) + by * ROLES[role]
            if token[0] > "\u2fff":
                page.length += count * len(token) * 0.5
    total, best, block = page.total, page.best, page.block
    for term, said in local.items():
        total[term] = total.get(term, 0.0) + said
        if said > best.get(term, 0.0):
            best[term] = said
            block[term] = number


def _add_heading(page: _Page, number: int, heading: str) -> None:
    counts = _counts(heading)
    share = 1.0 / (0.7 + 0.1 * max(3, len(counts)))
    for token in counts:
        for term, role in terms_of(token):
            page.headings[term] = max(page.headings.get(term, 0.0), share * ROLES[role])
            said = page.best.get(term, 0.0) + 4.0
            page.total.setdefault(term, 0.0)
            if page.block.get(term) == number or said > page.best.get(term, 0.0) + 3.0:
                page.best[term] = said
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
    counts = _counts(name)
    share = weight / (0.55 + 0.15 * max(3, sum(1 for _ in counts)))
    for token in counts:
        long = 1.0 / (0.7 + 0.1 * max(3, len(token))) if token[0] > "\u2fff" else 1.0
        for term, role in terms_of(token):
            said = min(1.0, share * ROLES[role] * long)
            if said > page.names.get(term, 0.0):
                page.names[term] = said
