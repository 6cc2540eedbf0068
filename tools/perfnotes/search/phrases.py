"""Exact phrases: the best pages are searched for the phrase in their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perfnotes.search.constants import MOST_PHRASE
from perfnotes.search.tokens import fold


def plain(text: str) -> str:
    """Return a text as phrases are compared: folded, in lower case, with single spaces."""
    return " ".join(fold(text).lower().split())


def with_phrases(
    order: Sequence[int], phrases: Sequence[str], text: Callable[[int], str]
) -> list[int]:
    """Return those of the first ``MOST`` pages of ``order`` that contain every phrase.

    ``text`` gives the whole text of a page.
    """
    wanted = [plain(phrase) for phrase in phrases]
    found = []
    for page in order[:MOST_PHRASE]:
        whole = plain(text(page))
        if all(phrase in whole for phrase in wanted):
            found.append(page)
    return found
