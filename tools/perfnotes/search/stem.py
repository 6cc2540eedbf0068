"""Stems of English words: two words with the same stem are forms of one word.

The index holds words as they are written. A query for a word also finds the other words with its
stem. The stem is always the beginning of the word, so all its forms are neighbours in the sorted
index. The browser does the same by ``stem`` in ``tokens.js``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from perfnotes.search.constants import ENDINGS, NO_PLURAL

_LETTERS = re.compile(r"[a-z]+$")
_VOWEL = re.compile(r"[aeiouy]")
_BOTH = re.compile(r"(.{3,}[iy])[sz]$")  # stems of optimise and optimize, analyse and analyze
_DOUBLED = re.compile(r"([bdgmnprt])\1$")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the word's stem. Short words and names with other signs are their own stems."""
    if len(word) < 4 or not _LETTERS.match(word) or word.endswith(NO_PLURAL):
        return word
    for ending, off, least in ENDINGS:
        if word.endswith(ending):
            rest = word[:-off]
            if len(rest) >= least and _VOWEL.search(rest) and word[-3:] != "eed":
                if ending in ("ing", "ed", "ings") and _DOUBLED.search(rest):
                    return rest[:-1]
                return rest
    return word


def both_spellings(base: str) -> tuple[str, str]:
    """Return a stem in its British and its American spelling, which are mostly the same.

    The British spelling comes first in the sorted index, and hardly any word lies between the two.
    """
    found = _BOTH.match(base)
    return (f"{found[1]}s", f"{found[1]}z") if found else (base, base)
