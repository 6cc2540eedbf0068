"""The postings of one document: each of its terms with an impact and its best block.

The impact of a term (0 to 29) is how much it says about a page. It is the sum of three parts: one
for the title and other names, one for headings and one for the text. The part for the text is
``n / (n + k)`` for ``n`` occurrences, where ``k`` grows with the length of the page, as in BM25:
each further occurrence adds less, and occurrences on a long page count less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from operator import add

from msgspec import Struct, field

from perfnotes.search.codec import LEVELS, posting
from perfnotes.search.constants import STOP
from perfnotes.search.document import Block, SearchDocument
from perfnotes.search.symptoms import symptom_postings
from perfnotes.search.tokens import is_cjk, signs_of, terms_of, words_of

MOST_BLOCKS = 250  # of a page; the text of further blocks is not indexed
ROLES = {"w": 1.0, "p": 0.6, "j": 0.6, "u": 0.5}  # what an occurrence counts, by the term's role
NAME, HEADING, TEXT = 0.42, 0.16, 0.42  # the greatest share of each part in an impact
# What an occurrence in code counts beside 1 in the text, and what a word of a tag's name, of the
# extra text and of the id counts beside 1 in the title.
_CODE, _TAG, _EXTRA, _PATH = 0.7, 0.45, 0.5, 0.5
_ASKED = 3.0  # what a word of what people ask counts beside 1 in the text
# k1, the usual length in terms and b of BM25; and the length, in usual lengths, at which the
# penalty of long pages stops growing.
_HALF, _LENGTH, _SLOPE, _LONGEST = 3.0, 500.0, 0.6, 20.0
# The first 120 terms of a page say what it is about, so each of them counts 1 more.
_LEAD, _LEADING = 1.0, 120
_FIRST_CJK = "\u3005"
# A command with a short option, such as "set -e", is a term: "set-e".
_OPTION = re.compile(r"(?<![A-Za-z0-9_.-])([A-Za-z0-9]+) -([A-Za-z][A-Za-z0-9]?)(?![A-Za-z0-9_=-])")
# Python compiles what comes before the first such character five times faster than what follows it.
_RUN = re.compile(rf"[^\0-{chr(ord(_FIRST_CJK) - 1)}]")
_LAST = MOST_BLOCKS - 1


class _Page(Struct):
    """The counts of one document, by term.

    ``most`` is the largest ``count << 8 | blocks`` over the blocks of the page, where ``blocks`` is
    the number of blocks that may still follow. So the block with the most occurrences wins, and
    among equals the first. A block whose heading has the term, in ``headed``, wins over that.
    """

    total: dict[str, float] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)
    headed: dict[str, int] = field(default_factory=dict)
    names: dict[str, float] = field(default_factory=dict)
    headings: dict[str, float] = field(default_factory=dict)
    length: float = 0.0


def postings_of(document: SearchDocument, number: int) -> tuple[dict[str, int], set[str]]:
    """Return a document's packed postings by term, and the terms of its names and headings.

    A copy of another document has neither.
    """
    if document.is_copy:
        return {}, set()
    if document.symptom:
        return symptom_postings(document, number), set()
    page = _Page()
    _add_blocks(page, document.blocks[:MOST_BLOCKS])
    _add_asked(page, document.asked)
    _add_fields(page, document)
    norm = 1 - _SLOPE + _SLOPE * min(_LONGEST, max(1.0, page.length / _LENGTH))
    half = _HALF * norm
    names, headings, total, most = page.names, page.headings, page.total, page.most
    text = TEXT * LEVELS
    text_part = {count: text * count / (count + half) for count in {0.0, *total.values()}}
    base = {count: posting(number, int(level), _LAST) for count, level in text_part.items()}
    found = {term: base[count] - (most[term] & 0xFF) for term, count in total.items()}
    special = {*names, *headings}
    for term in special:
        named = NAME * names.get(term, 0.0) + HEADING * headings.get(term, 0.0)
        impact = min(LEVELS - 1, int(text_part[total.get(term, 0.0)] + LEVELS * named))
        block = page.headed.get(term, _LAST - (most.get(term, _LAST) & 0xFF))
        found[term] = posting(number, impact, block)
    return found, special


def _tokens(text: str) -> list[str]:
    """Return the tokens of a text.

    Instead of a run of Chinese characters, its pairs of neighbours and its last character are
    returned.
    """
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
    """Return the terms of a token of ``_tokens``, each with what one occurrence of it counts."""
    if _is_run(token):
        return ((token, ROLES["w" if len(token) > 1 else "u"]),)
    return tuple((term, ROLES[role]) for term, role in terms_of(token))


# Two characters in front of a term say that it is only a part or an end of its token.
_MARK = {"p": "\x01p", "j": "\x01j", "u": "\x01u"}


def _mentions(text: str) -> list[str]:
    """Return every term of a text, in order; a term that is not a whole word has its mark in front.

    No token contains a space. So a text without Chinese, Japanese or Korean characters is split at
    spaces, and most of the pieces are already in the cache of ``_piece``.
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
    """Count the terms of a page's blocks, and find the block in which each term counts most."""
    texts: list[str] = []
    codes: list[str] = []
    lead: list[str] = []
    by_block: list[tuple[int, Counter[str]]] = []
    for i, block in enumerate(blocks):
        for words, kind in ((block.text, texts), (block.code, codes)):
            if not words:
                continue
            found = _mentions(words)
            if kind is texts and not texts:
                lead = found[:_LEADING]
            if " -" in words:
                found += [f"\x01p{a}-{b}".lower() for a, b in _OPTION.findall(words)]
            kind.extend(found)
            by_block.append((_LAST - i, Counter(found)))
    most = _most(by_block)
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
        if role != "u":  # the length of a page counts tokens, not their parts
            page.length -= in_text[mention] + in_code[mention]
    page.total, page.most = total, most
    for i, block in enumerate(blocks):
        if block.heading:
            _add_heading(page, i, block.heading)


def _add_asked(page: _Page, asked: str) -> None:
    """Count the terms of what people ask; the page's top answers those that stand nowhere else."""
    for mention, count in Counter(_mentions(" ".join(asked.split()))).items():
        is_part = mention[0] == "\x01"
        term, role = (mention[2:], mention[1]) if is_part else (mention, "w")
        page.total[term] = page.total.get(term, 0.0) + _ASKED * ROLES[role] * count
        page.most.setdefault(term, _LAST)


def _most(by_block: Sequence[tuple[int, Counter[str]]]) -> dict[str, int]:
    """Return ``_Page.most`` from the counts of each block, with the blocks that may still follow.

    Most terms occur once in a block. They are entered without a loop in Python, from the last block
    to the first, so that the first one wins.
    """
    most: dict[str, int] = {}
    for following, counts in reversed(by_block):
        most |= dict.fromkeys(counts, 1 << 8 | following)
    for following, counts in by_block:
        for mention, count in [each for each in counts.items() if each[1] > 1]:
            most[mention] = max(most[mention], count << 8 | following)
    return most


def _neighbours(tokens: Sequence[str]) -> list[str]:
    """Join each two neighbouring words of a name into one: ``cacheline`` of "Cache line"."""
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
    """Count the terms of a heading.

    Its block becomes the best block of a term, unless another heading gives the term more weight.
    """
    found = _tokens(heading)
    share = 1.0 / (0.7 + 0.1 * max(3, len(found)))
    for token in found:
        for term, part in _terms(token):
            value = share * part
            if value > page.headings.get(term, 0.0):
                page.headings[term] = value
                page.headed[term] = number
    for term in (*_neighbours(found), *signs_of(heading)):
        if term not in page.headings:
            page.headings[term] = share
            page.headed[term] = number


def _add_fields(page: _Page, document: SearchDocument) -> None:
    """Count the terms of the title, of other names, of tags, of the extra text and of the id."""
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
    # Chinese is cut into pairs, about two for each word.
    length = sum(0.5 if _is_run(token) else 1.0 for token in found)
    share = weight / (0.55 + 0.15 * max(3.0, length))
    for token in found:
        for term, part in _terms(token):
            value = min(1.0, share * part)
            if value > page.names.get(term, 0.0):
                page.names[term] = value
    for term in (*_neighbours(found), *signs_of(name)):
        page.names[term] = max(page.names.get(term, 0.0), min(1.0, share))
