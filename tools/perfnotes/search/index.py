"""The Index: which pages hold a term, how much it says about each, and in which block most.

Documents are added one by one; a posting is made at once from one document alone, so the index
needs no second look at the texts. How much a term says about a page (its impact, 0 to 29) has a
part for the title and other names, one for headings and one for the text, in which more
occurrences count less and less, and less in a long page.
"""

from __future__ import annotations

import re
from array import array
from bisect import insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import add

from perfnotes.search.analysis import key_of
from perfnotes.search.codec import LEVELS, posting
from perfnotes.search.constants import STOP
from perfnotes.search.document import Block, Document
from perfnotes.search.tokens import is_cjk, terms_of, words_of

MOST_BLOCKS = 250  # of a page that postings tell apart
ROLES = {"w": 1.0, "p": 0.6, "j": 0.6, "u": 0.5}
NAME, HEADING, TEXT = 0.42, 0.16, 0.42  # the parts of an impact
_CODE, _TAG, _EXTRA, _PATH = 0.7, 0.45, 0.5, 0.5
_HALF, _LENGTH, _SLOPE, _LONGEST = 3.0, 500.0, 0.6, 20.0
_LEAD, _LEADING = 1.0, 120  # the first tokens of a page count more: they say what it is about
_FIRST_CJK = "\u3005"
_RUN = re.compile(f"[{_FIRST_CJK}-\U0010ffff]")
_LAST = MOST_BLOCKS - 1


@dataclass
class Exact:
    """The pages that a name answers, titles first, and what else a glossary term is called."""

    pages: dict[int, int] = field(default_factory=dict)  # page → rank
    spellings: tuple[str, ...] = ()


@dataclass
class _Page:
    """What one document's terms come to. ``most`` says where each stands most: how often, and how
    many blocks may follow, so that the greatest is the first of the best. A heading outdoes it."""

    total: dict[str, float] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)
    headed: dict[str, int] = field(default_factory=dict)
    names: dict[str, float] = field(default_factory=dict)
    headings: dict[str, float] = field(default_factory=dict)
    length: float = 0.0


class Index:
    """``postings`` are numbers as ``codec.posting`` makes them; of most terms there is only one."""

    def __init__(self) -> None:
        self.pages = 0
        self.postings: dict[str, int | array[int]] = {}
        self.names: dict[str, dict[str, Exact]] = {}  # first term → key → pages
        self.titled: set[str] = set()  # terms of titles and headings

    def add(self, document: Document) -> int:
        """Add a document; its number."""
        number = self.pages
        self.pages += 1
        self._add_names(document, number)
        if document.is_copy:
            return number
        found, special = _postings(document, number)
        self.titled |= special
        postings = self.postings
        for term, one in found.items():
            known = postings.get(term)
            if known is None:
                postings[term] = one
            elif isinstance(known, int):
                postings[term] = array("Q", (known, one))
            else:
                known.append(one)
        return number

    def replace(self, number: int, before: Document, after: Document) -> set[str] | None:
        """Put a document in the place of one that differs in its text alone.

        The terms whose postings are others now; None where the names or headings are.
        """
        if before.is_copy:
            return set()
        old, old_special = _postings(before, number)
        new, special = _postings(after, number)
        if special != old_special:
            return None
        changed = {t for t in old.keys() | new.keys() if old.get(t) != new.get(t)}
        for term in changed:
            self._exchange(term, old.get(term), new.get(term))
        return changed

    def _exchange(self, term: str, old: int | None, new: int | None) -> None:
        known = self.postings.pop(term, ())
        found = [known] if isinstance(known, int) else list(known)
        if old is not None:
            found.remove(old)
        if new is not None:
            insort(found, new)
        if found:
            self.postings[term] = array("Q", found) if len(found) > 1 else found[0]

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


def _postings(document: Document, number: int) -> tuple[dict[str, int], set[str]]:
    """A document's postings by term, and the terms of its names and headings."""
    page = _Page()
    _add_blocks(page, document.blocks[:MOST_BLOCKS])
    _add_fields(page, document)
    norm = 1 - _SLOPE + _SLOPE * min(_LONGEST, max(1.0, page.length / _LENGTH))
    half = _HALF * norm
    names, headings, total, most = page.names, page.headings, page.total, page.most
    text = TEXT * LEVELS
    said = {count: text * count / (count + half) for count in {0.0, *total.values()}}
    base = {count: posting(number, int(level), _LAST) for count, level in said.items()}
    found = {term: base[count] - (most[term] & 0xFF) for term, count in total.items()}
    special = names.keys() | headings.keys()
    for term in special:
        named = NAME * names.get(term, 0.0) + HEADING * headings.get(term, 0.0)
        impact = min(LEVELS - 1, int(said[total.get(term, 0.0)] + LEVELS * named))
        block = page.headed.get(term, _LAST - (most.get(term, _LAST) & 0xFF))
        found[term] = posting(number, impact, block)
    return found, special


def _tokens(text: str) -> list[str]:
    """The tokens of a text; of runs of Chinese characters every pair, and the last of them."""
    tokens: list[str] = []
    for token in words_of(text):
        if _is_run(token):
            tokens += map(add, token, token[1:])
            tokens.append(token[-1])
        else:
            tokens.append(token)
    return tokens


def _is_run(token: str) -> bool:
    return token[0] >= _FIRST_CJK and ("\u4e00" <= token[0] <= "\u9fff" or is_cjk(token))


@lru_cache(maxsize=60_000)
def _terms(token: str) -> tuple[tuple[str, float], ...]:
    """The terms of what ``_tokens`` gives, each with the share of a count that is its own."""
    if _is_run(token):
        return ((token, ROLES["w" if len(token) > 1 else "u"]),)
    return tuple((term, ROLES[role]) for term, role in terms_of(token))


# A term that is only a part or an end of its token carries its role in front: these two characters.
_MARK = {"p": "\x01p", "j": "\x01j", "u": "\x01u"}


def _mentions(text: str) -> list[str]:
    """Every term of a text, in its order, with its mark where it is not a whole word.

    No token goes beyond a space, so a text without runs is put together from its pieces, most of
    which have been seen before.
    """
    if text.isascii() or not _RUN.search(text):
        return list(chain.from_iterable(map(_piece, text.split(" "))))
    found: list[str] = []
    for token in words_of(text):
        if _is_run(token):
            found += map(add, token, token[1:])
            found.append(_MARK["u"] + token[-1])
        else:
            found += _piece(token)
    return found


@lru_cache(maxsize=60_000)
def _piece(text: str) -> tuple[str, ...]:
    terms = (term for token in words_of(text) for term in terms_of(token))
    return tuple(_MARK.get(role, "") + term for term, role in terms)


def _add_blocks(page: _Page, blocks: Sequence[Block]) -> None:
    """Count a page's terms, of code less than of text, and see where each stands most."""
    texts: list[str] = []
    codes: list[str] = []
    lead: list[str] = []
    most: dict[str, int] = {}
    for i, block in enumerate(blocks):
        for words, kind in ((block.text, texts), (block.code, codes)):
            if not words:
                continue
            found = _mentions(words)
            if kind is texts and not texts:
                lead = found[:_LEADING]
            kind.extend(found)
            left = _LAST - i
            for mention, count in Counter(found).items():
                rank = count << 8 | left
                if rank > most.get(mention, 0):
                    most[mention] = rank
    page.length = len(texts) + len(codes)
    in_text, in_code = Counter(texts), Counter(codes)
    total: dict[str, float] = dict(in_text)
    for mention in lead:
        total[mention] += _LEAD
    for mention, count in in_code.items():
        total[mention] = total.get(mention, 0.0) + _CODE * count
    for mention in [mention for mention in total if mention[0] == "\x01"]:
        term, role = mention[2:], mention[1]
        total[term] = total.get(term, 0.0) + ROLES[role] * total.pop(mention)
        most[term] = max(most.get(term, 0), most.pop(mention))
        if role != "u":  # a part of a token is none
            page.length -= in_text[mention] + in_code[mention]
    page.total, page.most = total, most
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
    found = _tokens(heading)
    share = 1.0 / (0.7 + 0.1 * max(3, len(found)))
    for token in found:
        for term, part in _terms(token):
            said = share * part
            if said > page.headings.get(term, 0.0):
                page.headings[term] = said
                page.headed[term] = number
    for term in _neighbours(found):
        if term not in page.headings:
            page.headings[term] = share
            page.headed[term] = number


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
    found = _tokens(name)
    share = weight / (0.55 + 0.15 * max(3, len(found)))
    for token in found:
        for term, part in _terms(token):
            said = min(1.0, share * part)
            if said > page.names.get(term, 0.0):
                page.names[term] = said
    for term in _neighbours(found):
        page.names[term] = max(page.names.get(term, 0.0), min(1.0, share))
