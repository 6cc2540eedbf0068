"""Tokens: how texts and queries are split into terms. Both are split by the same rules.

The specification is ``docs/search.md``; ``tests/search/vectors.json`` holds this module and
``site/theme/scripts/search/tokens.js`` together. A Token is what stands in a text: a
word, a compound (``std::ios::sync_with_stdio``), a flag, a number, or a run of Chinese, Japanese or
Korean characters. Its terms are what the index knows, each with its role:

- ``w``: the whole token without its separators (``stdiossyncwithstdio``), or two neighbouring
  characters of a run (``内存``);
- ``p``: a part of a compound (``sync``);
- ``j``: the end of a compound (``syncwithstdio``), or a flag without its letter (``fastmath``);
- ``u``: the last character of a run. With this term, every character of a run begins a term.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from perfnotes.search.constants import CJK, LONGEST_TERM, MOST_PARTS, REGIONAL, TRADITIONAL

_WORD = rf"[^\W_{CJK}]+"
# A dash begins a flag only where a word could begin.
_FLAG = r"(?:(?<![^ \t\n\r\f\v`\"'(\[{,;|])-{1,2}(?=[A-Za-z]))?"
TOKEN = re.compile(rf"[{CJK}]+|{_FLAG}{_WORD}(?:(?:_+|::|->|[.\-']){_WORD})*")
# The same pattern for ASCII alone, which is most text, and faster.
_ASCII = re.compile(rf"{_FLAG}[A-Za-z0-9]+(?:(?:_+|::|->|[.\-'])[A-Za-z0-9]+)*")
_IS_CJK = re.compile(f"[{CJK}]")
# Characters that NFD may split into a letter and an accent, and some others.
_ACCENTED = re.compile("[\u00c0-\u1fff\u2190-\u2bff]")
# NFKC takes several times as long as replacing the punctuation of Chinese texts by these pairs. So
# the pairs are replaced first, and NFKC runs only if the text then has a character that NFKC may
# change. ``_UNSETTLED`` finds all characters but some frequent ones that NFKC does not change.
_WIDE = (*((chr(c + 0xFEE0), chr(c)) for c in b"!(),.:;?~"), ("\u2026", "..."), ("\u2019", "'"))
_UNSETTLED = re.compile(
    "[^\0-\x7f\xb7\xd7\u2013\u2014\u2018\u201c\u201d\u3001\u3002\u3008-\u3011\u4e00-\u9fff]"
)
_TO_SIMPLIFIED = str.maketrans(TRADITIONAL)
# Words of Taiwan, those with traditional characters apart.
_IN_TRADITIONAL, _IN_SIMPLIFIED = (
    re.compile("|".join(w for w in REGIONAL if TRADITIONAL.keys().isdisjoint(w) is simplified))
    for simplified in (False, True)
)
_MARKS = re.compile("[\u0300-\u036f]")
_PLUS = re.compile(r"(^|[^A-Za-z0-9_])([A-Za-z])\+\+")
_SHARP = re.compile(r"(^|[^A-Za-z0-9_])([CcFf])#")
# Names such as A*. Where a name, a number or a bracket follows, the star is that of a pointer or
# product.
_STAR = re.compile(r"(^|[^A-Za-z0-9_*])([A-Za-z])\*(?![A-Za-z0-9_(*])")
_THOUSANDS = re.compile(r"([0-9]),(?=[0-9]{3}(?![0-9]))")
_VERSION = re.compile(r"[vV]?([0-9]+(?:\.[0-9]+)+)$")
_CONNECTOR = re.compile(r"_+|::|->|[.\-]")
_PIECE = re.compile(r"[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[^A-Z0-9]+|[A-Z]")
_SIGNS = re.compile(r"[!#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~]{2,}")
# A word with its connectors, its dashes, the underscores around it and the brackets of a call, such
# as ``main()``. None of these is a sign.
_NAME = re.compile(rf"_*(?:{TOKEN.pattern})_*(?:\(\))?")
_LONGEST_SIGN = 8
# The weight of one occurrence of a term, by the term's role.
ROLE_WEIGHTS = {"w": 1.0, "p": 0.6, "j": 0.6, "u": 0.5}
_SHORT_FLAG = re.compile(r"-[fmWlDIL][A-Za-z0-9]{2}")


class Token(Struct, frozen=True):
    """A token and its ``terms``, each with its role.

    ``start`` and ``end`` are offsets in the folded text.
    """

    text: str
    start: int
    end: int
    terms: tuple[tuple[str, str], ...]

    @property
    def is_cjk(self) -> bool:
        return is_cjk(self.text)


def fold(text: str) -> str:
    """Replace compatible characters by one form (NFKC), drop accents, write 1,024 as 1024.

    Traditional Chinese characters become simplified ones, one for one, and words of Taiwan those
    of the mainland.
    Signs that belong to a name become letters: ``C++`` becomes ``Cpp``, ``A*`` becomes ``Astar``.
    The case of letters stays.
    """
    if not text.isascii():
        text = _compatible(text)
        if not TRADITIONAL.keys().isdisjoint(text):
            text = _IN_TRADITIONAL.sub(_of_mainland, text).translate(_TO_SIMPLIFIED)
        text = _IN_SIMPLIFIED.sub(_of_mainland, text)
    if "++" in text:
        text = _PLUS.sub(r"\1\2pp", text)
    if "#" in text:
        text = _SHARP.sub(r"\1\2sharp", text)
    if "*" in text:
        text = _STAR.sub(r"\1\2star", text)
    if "," in text:
        text = _THOUSANDS.sub(r"\1", text)
    return text


def _of_mainland(word: re.Match[str]) -> str:
    return REGIONAL[word[0]]


def _compatible(text: str) -> str:
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    if not _UNSETTLED.search(text):
        return text
    text = unicodedata.normalize("NFKC", text)
    if _ACCENTED.search(text):
        text = _MARKS.sub("", unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFC", text)
    return text


def is_cjk(text: str) -> bool:
    """Return whether the text begins with a Chinese, Japanese or Korean character."""
    return _IS_CJK.match(text) is not None


def words_of(text: str) -> list[str]:
    """Return the texts of the tokens of a text, in order, after folding."""
    text = fold(text)
    return (_ASCII if text.isascii() else TOKEN).findall(text)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in order, without those that have no terms."""
    for match in TOKEN.finditer(fold(text)):
        terms = terms_of(match[0])
        if terms:
            yield Token(match[0], match.start(), match.end(), terms)


def signs_of(text: str) -> list[str]:
    """Return a term for each group of two or more signs in a text, such as ``[[`` or ``$@``.

    A single sign is mostly punctuation, so it gives no term. Quotation marks are no signs here, nor
    are characters that belong to a name, such as the underscores of ``__rdtsc`` and the brackets of
    ``main()``.
    """
    signs = _SIGNS.findall(_NAME.sub(" ", fold(text)))
    return [f"?{sign}?" for sign in signs if len(sign) <= _LONGEST_SIGN]


def terms_of(token: str) -> tuple[tuple[str, str], ...]:
    """Return the terms of one token of a folded text, each with its role.

    The first term of a word is the whole word.
    """
    return _run_terms(token) if token[0] >= "\u3005" and is_cjk(token) else _word_terms(token)


def _run_terms(run: str) -> tuple[tuple[str, str], ...]:
    chars = list(run)
    pairs = [(a + b, "w") for a, b in pairwise(chars)]
    return (*pairs, (chars[-1], "u"))


@lru_cache(maxsize=50_000)
def _word_terms(token: str) -> tuple[tuple[str, str], ...]:
    name = token.lstrip("-")
    if name.endswith(("'s", "'S")):
        name = name[:-2]
    name = name.replace("'", "")
    version = _VERSION.match(name)
    if version:
        return ((version[1], "w"),) if len(version[1]) <= LONGEST_TERM else ()
    groups = [_pieces(part) for part in _CONNECTOR.split(name)]
    parts = [piece for group in groups for piece in group]
    whole = "".join(parts)
    if not whole or len(whole) > LONGEST_TERM:
        return ()
    found: dict[str, str] = {whole: "w"}
    if len(parts) > 1:
        is_dashed = len(groups) == len(parts) and _only_dashes(name)
        if not is_dashed:
            for i in range(1, min(len(parts) - 1, MOST_PARTS)):
                found.setdefault("".join(parts[i:]), "j")
        for part in parts:
            if len(part) > 1 or is_dashed:
                found.setdefault(part, "p")
    if _SHORT_FLAG.match(token):
        rest = _pieces(name[1:].partition("-")[0])
        joined = whole[1:]
        found.setdefault(joined, "j")
        for part in rest:
            found.setdefault(part, "p")
    return tuple(found.items())


def _only_dashes(name: str) -> bool:
    return all(c == "-" for c in _CONNECTOR.findall(name))


def _pieces(word: str) -> list[str]:
    """Split a word at capitals and digits, in lower case: ``HTTPServer2`` → http server 2."""
    if word.islower() and word.isalpha():
        return [word]
    return [piece.lower() for piece in _PIECE.findall(word)]
