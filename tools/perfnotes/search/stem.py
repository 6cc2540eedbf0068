"""Stems of English words: which words of the index are forms of one that was asked for.

The index holds words as they are written; a query finds the forms that share its word's stem. The
stem is always the beginning of the word, so all forms lie side by side in the sorted index. The
twin in JavaScript is ``stem`` in ``tokens.js``.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LETTERS = re.compile(r"[a-z]+$")
_VOWEL = re.compile(r"[aeiouy]")
# Longest first: an ending, how many of its letters go, and how many letters stay at least.
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
    """The word's stem, or the word itself: short words, names with digits and other scripts."""
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
