"""Stems of English words: two words with the same stem are forms of one word.

The index holds words as they are written. A query for a word also finds the other words with its
stem. The stem is always the beginning of the word, so all its forms are neighbours in the sorted
index. The browser does the same by ``stem`` in ``tokens.js``.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LETTERS = re.compile(r"[a-z]+$")
_VOWEL = re.compile(r"[aeiouy]")
# Longest first: an ending, how many letters are cut off, and the least length of the rest.
_ENDINGS = (
    ("ations", 6, 4), ("ators", 5, 4), ("ation", 5, 4), ("ating", 5, 4), ("ative", 5, 4),
    ("izers", 3, 4), ("ator", 4, 4), ("ated", 4, 4), ("ates", 4, 4), ("izer", 2, 4),
    ("ions", 4, 4), ("ings", 4, 3), ("ate", 3, 4), ("ies", 3, 3), ("ied", 3, 3), ("ing", 3, 3),
    ("ion", 3, 4), ("ed", 2, 3), ("es", 2, 3), ("ly", 2, 5), ("s", 1, 3), ("e", 1, 3),
    ("y", 1, 3),
)  # fmt: skip
_NO_PLURAL = ("ss", "us", "is")
_DOUBLED = re.compile(r"([bdgmnprt])\1$")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the word's stem.

    Short words, words with anything but the letters a to z, and words without a known ending are
    returned as they are.
    """
    if len(word) < 4 or not _LETTERS.match(word) or word.endswith(_NO_PLURAL):
        return word
    for ending, off, least in _ENDINGS:
        if word.endswith(ending):
            rest = word[:-off]
            if len(rest) >= least and _VOWEL.search(rest) and word[-3:] != "eed":
                if ending in ("ing", "ed", "ings") and _DOUBLED.search(rest):
                    return rest[:-1]
                return rest
    return word
