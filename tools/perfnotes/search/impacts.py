"""The postings of one document: each of its terms with an impact and its best block.

The impact of a term (0 to 29) is how much it says about a page. It is the sum of three parts: one
for the title and other names, one for headings and one for the text. For ``n`` occurrences, the
part for the text is ``n / (n + k)`` with ``k = k1 (1 - b + b · length / usual length)``. This is
the weight of a term in BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
and Beyond", 2009): each further occurrence adds less, and occurrences on a long page count less.
Here a short page counts as one of the usual length.
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
from perfnotes.search.tokens import ROLE_WEIGHTS, is_cjk, signs_of, terms_of, words_of

# A page has at most so many blocks in the index. The text of further blocks is not indexed.
MOST_BLOCKS = 250
# The greatest share of each part of a page in an impact.
NAME, HEADING, TEXT = 0.42, 0.16, 0.42
# Weights of an occurrence in code (in the text: 1), and of a word in a tag's name, in the extra
# text and in the id (in the title: 1).
_CODE, _TAG, _EXTRA, _PATH = 0.7, 0.45, 0.5, 0.5
# The weight of a word of what people ask (in the text: 1).
_ASKED = 3.0
# k1, the usual length in tokens, and b of BM25. A page of more than so many usual lengths counts as
# one of that length.
_K1, _USUAL_LENGTH, _B, _MOST_LENGTHS = 3.0, 500.0, 0.6, 20.0
# The first _LEADING terms of a page say what it is about, so each of them counts _LEAD more.
_LEAD, _LEADING = 1.0, 120
_FIRST_CJK = "\u3005"
# A command with a short option, such as "set -e", is a term: "set-e".
_OPTION = re.compile(r"(?<![A-Za-z0-9_.-])([A-Za-z0-9]+) -([A-Za-z][A-Za-z0-9]?)(?![A-Za-z0-9_=-])")
# The character that begins a run. ``re`` compiles this negated range in a fifth of the time of the
# range from that character to the last one of Unicode.
_RUN = re.compile(rf"[^\0-{chr(ord(_FIRST_CJK) - 1)}]")
_LAST = MOST_BLOCKS - 1


class _Page(Struct):
    """The counts of one document, by term.

    ``total`` is the weighted number of occurrences in texts and code, ``names`` and ``headings``
    are the parts of the impact from these, and ``length`` is the number of tokens.

    ``most`` tells in which block a term occurs most: it is the largest ``count << 8 | following``
    of the page's blocks, where ``following`` is the number of blocks that may still follow. So of
    several blocks with the same count, the first one has the largest value. A block whose heading
    has the term, in ``headed``, is preferred to that block.
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
    norm = 1 - _B + _B * min(_MOST_LENGTHS, max(1.0, page.length / _USUAL_LENGTH))
    k = _K1 * norm
    names, headings, total, most = page.names, page.headings, page.total, page.most
    text = TEXT * LEVELS
    text_part = {count: text * count / (count + k) for count in {0.0, *total.values()}}
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

    A run of Chinese characters is returned as its pairs of neighbours and its last character.
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
    """Return the terms of a token of ``_tokens``, each with the weight of one occurrence."""
    if _is_run(token):
        return ((token, ROLE_WEIGHTS["w" if len(token) > 1 else "u"]),)
    return tuple((term, ROLE_WEIGHTS[role]) for term, role in terms_of(token))


# The mark of a term that is no whole word: two characters in front of the term that tell its role.
_ROLE_MARKS = {"p": "\x01p", "j": "\x01j", "u": "\x01u"}


def _mentions(text: str) -> list[str]:
    """Return every term of a text, in order, with the mark of its role in front unless it is ``w``.

    No token contains a space. So a text without Chinese, Japanese or Korean characters is split at
    spaces, and most of the pieces are already in the cache of ``_piece_terms``.
    """
    if text.isascii() or not _RUN.search(text):
        return list(chain.from_iterable(map(_piece_terms, text.split(" "))))
    found: list[str] = []
    for token in words_of(text):
        if _is_run(token):
            found += map(add, token, token[1:])
            found.append(_ROLE_MARKS["u"] + token[-1])
        else:
            found += _piece_terms(token)
    return found


@lru_cache(maxsize=60_000)
def _piece_terms(text: str) -> tuple[str, ...]:
    terms = (term for token in words_of(text) for term in terms_of(token))
    return tuple(_ROLE_MARKS.get(role, "") + term for term, role in terms)


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
        total[term] = total.get(term, 0.0) + ROLE_WEIGHTS[role] * total.pop(mention)
        most[term] = max(most.get(term, 0), most.pop(mention))
        if role != "u":  # the length of a page is its number of tokens, without their parts
            page.length -= in_text[mention] + in_code[mention]
    page.total, page.most = total, most
    for i, block in enumerate(blocks):
        if block.heading:
            _add_heading(page, i, block.heading)


def _add_asked(page: _Page, asked: str) -> None:
    """Count the terms of what people ask. A term that no block has gets the first block."""
    for mention, count in Counter(_mentions(" ".join(asked.split()))).items():
        is_part = mention[0] == "\x01"
        term, role = (mention[2:], mention[1]) if is_part else (mention, "w")
        page.total[term] = page.total.get(term, 0.0) + _ASKED * ROLE_WEIGHTS[role] * count
        page.most.setdefault(term, _LAST)


def _most(by_block: Sequence[tuple[int, Counter[str]]]) -> dict[str, int]:
    """Return ``_Page.most``. ``by_block`` has pairs of ``following`` and the counts in that block.

    Most terms occur once in a block. They are entered without a loop in Python, from the last block
    to the first, so that the entry of the first block remains.
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
