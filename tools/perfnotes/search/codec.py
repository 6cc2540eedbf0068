"""The encoding of shards: numbers as printable characters, sorted words with shared beginnings.

A shard is a file of the index: a classic script with one call, ``pnSearch.shard("t/12", …)``.
Browsers load such a script over HTTP and also from a folder on disk. The data of a shard is JSON.
The postings in it are strings over 90 printable characters that JSON never escapes; ``gzip``
compresses them about as well as bytes.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from perfnotes.search.constants import ALPHABET

# The impact of a posting is one of so many levels.
LEVELS = 30
_VALUE = {char: i for i, char in enumerate(ALPHABET)}
# The first character of a number gives its length: 60 characters are numbers themselves, 29 begin a
# number of two characters, and the last one begins a number of four.
_ONE, _TWO, _BASE = 60, 29, 90
_SMALL = [
    ALPHABET[v] if v < _ONE else ALPHABET[_ONE + (v - _ONE) // _BASE] + ALPHABET[(v - _ONE) % _BASE]
    for v in range(_ONE + _TWO * _BASE)
]
_FOUR = _ONE + _TWO  # the value of the character that begins a number of four
_LAST = ALPHABET[_FOUR]
# The text of a posting after its page, by ``impact << 8 | block``. Block 0 is not written; for any
# other block, LEVELS is added to the impact to say that the block follows.
_REST = [
    _SMALL[LEVELS + impact] + _SMALL[block] if block else _SMALL[impact]
    for impact in range(LEVELS)
    for block in range(256)
]


class Posting(NamedTuple):
    """One page that contains a term.

    ``impact`` (0 to 29) is how much the term says about the page, ``block`` the number of the block
    in which the term counts most.
    """

    page: int
    impact: int
    block: int


def number(value: int) -> str:
    """Encode a number from 0 to 731,669 in one, two or four characters; small numbers are short."""
    if value < len(_SMALL):
        return _SMALL[value]
    rest = value - len(_SMALL)
    high, low = divmod(rest, _BASE)
    return _LAST + ALPHABET[high // _BASE] + ALPHABET[high % _BASE] + ALPHABET[low]


def numbers(text: str) -> Iterator[int]:
    """Yield the numbers of a string of encoded numbers."""
    at = 0
    while at < len(text):
        value, at = _read(text, at)
        yield value


def _read(text: str, at: int) -> tuple[int, int]:
    """Return the number encoded at ``at``, and the index after it."""
    first = _VALUE[text[at]]
    if first < _ONE:
        return first, at + 1
    if first < _FOUR:
        return _ONE + (first - _ONE) * _BASE + _VALUE[text[at + 1]], at + 2
    a, b, c = (_VALUE[char] for char in text[at + 1 : at + 4])
    return len(_SMALL) + (a * _BASE + b) * _BASE + c, at + 4


def posting(page: int, impact: int, block: int) -> int:
    """Pack a posting into one integer. These integers sort by page."""
    return page << 16 | impact << 8 | block


def page_of(posting: int) -> int:
    """Return the page of a posting packed by ``posting``."""
    return posting >> 16


def impact_of(posting: int) -> int:
    """Return the impact of a posting packed by ``posting``."""
    return posting >> 8 & 0xFF


class _Encoded(dict[int, str]):
    """The encoded texts of postings whose page is a gap. The first ``_MOST`` of them are kept."""

    _MOST = 200_000

    def __missing__(self, posting: int) -> str:
        text = number(posting >> 16) + _REST[posting & 0xFFFF]
        if len(self) < self._MOST:
            self[posting] = text
        return text


_encoded = _Encoded()


def encode(postings: Sequence[int], due: int = 0) -> str:
    """Encode packed postings, which must be sorted by page; a page is written as a gap.

    The gap of the first posting is counted from the page ``due``.
    """
    # The page after that of the posting before is subtracted from each page.
    texts = _encoded
    befores = chain(((due << 16) - 1,), postings)
    return "".join([texts[p - (q | 0xFFFF) - 1] for p, q in zip(postings, befores, strict=False)])


def shifted(text: str, postings: Sequence[int], first: int, by: int) -> str:
    """Return the encoded ``postings`` after pages were renumbered; ``text`` is the encoding before.

    ``by`` was added to the numbers of some pages: those that have the number ``first`` or a larger
    one now. All other pages have the number that they had. So only one gap in the text is
    different.
    """
    at = bisect_left(postings, first << 16)
    if at == len(postings):
        return text
    due = (postings[at - 1] >> 16) + 1 if at else 0
    gap = (postings[at] >> 16) - due
    old = len(number(gap - by))
    if at * 2 < len(postings):
        start = len(encode(postings[:at])) if at else 0
    else:
        after = encode(postings[at:], postings[at] >> 16)
        start = len(text) - len(after) + len(_SMALL[0]) - old
    return f"{text[:start]}{number(gap)}{text[start + old :]}"


def encode_one(posting: int) -> str:
    """Encode the packed posting of a term that has only one, as most terms do."""
    return number(posting >> 16) + _REST[posting & 0xFFFF]


def decode(text: str) -> list[Posting]:
    """Decode a string made by ``encode``."""
    found: list[Posting] = []
    at, page = 0, -1
    while at < len(text):
        gap, at = _read(text, at)
        page += gap + 1
        impact, at = _VALUE[text[at]], at + 1
        block = 0
        if impact >= LEVELS:
            impact -= LEVELS
            block, at = _read(text, at)
        found.append(Posting(page, impact, block))
    return found


def pack(words: Sequence[str]) -> str:
    """Join sorted words into one string.

    Each word is written as one character for the length of the beginning that it shares with the
    word before, followed by the rest of the word.
    """
    out: list[str] = []
    before = ""
    for word in words:
        same = shared(before, word)
        out.append(ALPHABET[same] + word[same:])
        before = word
    return " ".join(out)


def unpack(text: str) -> list[str]:
    """Return the words of a string made by ``pack``."""
    words: list[str] = []
    before = ""
    for part in text.split(" ") if text else ():
        before = before[: _VALUE[part[0]]] + part[1:]
        words.append(before)
    return words


def shared(a: str, b: str) -> int:
    """Return the length of the beginning that two words share, at most 59 characters."""
    same = 0
    for x, y in zip(a, b, strict=False):
        if x != y or same == _ONE - 1:
            break
        same += 1
    return same


def script(name: str, data: Any) -> bytes:
    """Return the bytes of a shard's file: a call of ``pnSearch.shard`` with its name and data."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in ("\u2028", "\u2029"):  # older JavaScript ends a line here, even inside a string
        text = text.replace(char, " ")
    return f'pnSearch.shard("{name}",{text})\n'.encode()


def unscript(data: bytes) -> Any:
    """Return the data of a shard's file.

    Raises ``ValueError`` if the file is truncated or is not a shard.
    """
    text = data.decode()
    if not text.startswith("pnSearch.shard(") or not text.endswith(")\n"):
        raise ValueError("not a shard of the search index")
    return json.loads(text[text.index(",") + 1 : -2])
