"""Clauses of a summary, counted by the words and marks that part them. A list of names is none."""

from __future__ import annotations

import re

from perfnotes.text.prose import has_cjk

_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）")
_BEGINS = (
    r"(?:although|because|how|if|since|so that|that|they|it|unless|until|what|when|where|whether"
    r"|which|while|who|why)\b"
)
_ENGLISH = re.compile(rf"[;:]\s+|[.!?]\s+|,\s+(?:(?:and|but|or|so|nor)\s+)?(?={_BEGINS})")
_CHINESE = re.compile("[，；：。？！]")
_SHORT = 6  # Chinese characters; 既计数，又计时 are words of one clause
_ADVERBIAL = re.compile("(?:时|来说|为例)$")


def clauses(text: str) -> list[str]:
    """The clauses of one or two sentences; what stands in brackets belongs to none."""
    bare = _BRACKETS.sub("", text)
    if not has_cjk(bare):
        return [part for part in _ENGLISH.split(bare) if part.strip()]
    parts = (part.strip() for part in _CHINESE.split(bare))
    return [p for p in parts if len(p) >= _SHORT and not _ADVERBIAL.search(p)]
