"""Splits a summary into clauses, at punctuation marks and at words that begin a clause.

A comma in a list of names does not begin a new clause.
"""

from __future__ import annotations

import re

from perfnotes.text.chinese import has_cjk

_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）")
_BEGINS = (
    r"(?:although|because|how|if|since|so that|that|they|it|unless|until|what|when|where|whether"
    r"|which|while|who|why)\b"
)
_ENGLISH = re.compile(rf"[;:]\s+|[.!?]\s+|,\s+(?:(?:and|but|or|so|nor)\s+)?(?={_BEGINS})")
_CHINESE = re.compile("[，；：。？！]")
_SHORT = 6  # Chinese characters; a shorter part, as in 既计数，又计时, is no clause of its own
_ADVERBIAL = re.compile("(?:时|来说|为例)$")


def clauses(text: str) -> list[str]:
    """Return the clauses of one or two sentences, without the text in brackets."""
    bare = _BRACKETS.sub("", text)
    if not has_cjk(bare):
        return [part for part in _ENGLISH.split(bare) if part.strip()]
    parts = (part.strip() for part in _CHINESE.split(bare))
    return [p for p in parts if len(p) >= _SHORT and not _ADVERBIAL.search(p)]
