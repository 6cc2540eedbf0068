"""How shards are written: numbers as printable characters, sorted words by what differs.

A shard is a classic script, ``pnSearch.shard("t/12", …)``, so that one way of loading works over
HTTP and from files. Its data is JSON; inside, postings are strings over 90 characters that JSON
never escapes, which ``gzip`` packs about as well as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from perfnotes.search.constants import ALPHABET

LEVELS = 30  # of a posting's impact
_VALUE = {char: i for i, char in enumerate(ALPHABET)}
_ONE, _TWO, _BASE = 60, 29, 90
_SMALL = [
    ALPHABET[v] if v < _ONE else ALPHABET[_ONE + (v - _ONE) // _BASE] + ALPHABET[(v - _ONE) % _BASE]
    for v in range(_ONE + _TWO * _BASE)
]
_LAST = ALPHABET[89]
# Of a posting all but its page: the impact, and behind a larger number the block.
_REST = [
    _SMALL[LEVELS + impact] + _SMALL[block] if block else _SMALL[impact]
    for impact in range(LEVELS)
    for block in range(256)
]


class Posting(NamedTuple):
    """A page on which a term stands, how much (0 to 29), and in which of its blocks most."""

    page: int
    impact: int
    block: int


def number(value: int) -> str:
    """One to four characters; small numbers are short."""
    if value < len(_SMALL):
        return _SMALL[value]
    rest = value - len(_SMALL)
    high, low = divmod(rest, _BASE)
    return _LAST + ALPHABET[high // _BASE] + ALPHABET[high % _BASE] + ALPHABET[low]


def numbers(text: str) -> Iterator[int]:
    """Every number of a string of them."""
    at = 0
    while at < len(text):
        value, at = _read(text, at)
        yield value


def _read(text: str, at: int) -> tuple[int, int]:
    first = _VALUE[text[at]]
    if first < _ONE:
        return first, at + 1
    if first < 89:
        return _ONE + (first - _ONE) * _BASE + _VALUE[text[at + 1]], at + 2
    a, b, c = (_VALUE[char] for char in text[at + 1 : at + 4])
    return len(_SMALL) + (a * _BASE + b) * _BASE + c, at + 4


def posting(page: int, impact: int, block: int) -> int:
    """A posting as one number, in the order of pages."""
    return page << 16 | impact << 8 | block


def page_of(posting: int) -> int:
    """The page of such a number."""
    return posting >> 16


def impact_of(posting: int) -> int:
    """The impact of such a number."""
    return posting >> 8 & 0xFF


def encode(postings: Iterable[int]) -> str:
    """Such postings in the order of their pages, as a string."""
    out: list[str] = []
    due = 0
    small, most, rest = _SMALL, len(_SMALL), _REST
    for posting in postings:
        page = posting >> 16
        gap = page - due
        due = page + 1
        out.append((small[gap] if gap < most else number(gap)) + rest[posting & 0xFFFF])
    return "".join(out)


def encode_one(posting: int) -> str:
    """A single posting as a string: that of most terms."""
    return number(posting >> 16) + _REST[posting & 0xFFFF]


def decode(text: str) -> list[Posting]:
    """The postings of a string."""
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
    """Sorted words, each as the number of characters that it shares with the one before."""
    out: list[str] = []
    before = ""
    for word in words:
        same = shared(before, word)
        out.append(ALPHABET[same] + word[same:])
        before = word
    return " ".join(out)


def unpack(text: str) -> list[str]:
    """What ``pack`` packed."""
    words: list[str] = []
    before = ""
    for part in text.split(" ") if text else ():
        before = before[: _VALUE[part[0]]] + part[1:]
        words.append(before)
    return words


def shared(a: str, b: str) -> int:
    """How many characters two words begin with alike, at most 59."""
    same = 0
    for x, y in zip(a, b, strict=False):
        if x != y or same == _ONE - 1:
            break
        same += 1
    return same


def script(name: str, data: Any) -> bytes:
    """The file of a shard."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in ("\u2028", "\u2029"):
        text = text.replace(char, " ")
    return f'pnSearch.shard("{name}",{text})\n'.encode()


def unscript(data: bytes) -> Any:
    """The data of a shard's file; ``ValueError`` where it was truncated or is none."""
    text = data.decode()
    if not text.startswith("pnSearch.shard(") or not text.endswith(")\n"):
        raise ValueError("no shard")
    return json.loads(text[text.index(",") + 1 : -2])
