"""Exact phrases: of the best pages those whose text has the phrase."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perfnotes.search.constants import MOST_PHRASE
from perfnotes.search.tokens import fold


def plain(text: str) -> str:
    """A text as phrases are compared: folded, in lower case, with single spaces."""
    return " ".join(fold(text).lower().split())


def with_phrases(
    order: Sequence[int], phrases: Sequence[str], text: Callable[[int], str]
) -> list[int]:
    """Of the first pages those with every phrase; ``text`` gives a page's whole text."""
    wanted = [plain(phrase) for phrase in phrases]
    found = []
    for page in order[:MOST_PHRASE]:
        whole = plain(text(page))
        if all(phrase in whole for phrase in wanted):
            found.append(page)
    return found
