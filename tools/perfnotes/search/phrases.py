"""Exact phrases: the best pages are searched for the phrase in their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from perfnotes.search.constants import MOST_PHRASE, PHRASE_STEP
from perfnotes.search.tokens import fold


def plain(text: str) -> str:
    """Return a text as phrases are compared: folded, in lower case, with single spaces."""
    return " ".join(fold(text).lower().split())


def with_phrases(
    order: Sequence[int], phrases: Sequence[str], text: Callable[[int], str]
) -> Iterator[list[int]]:
    """Yield those of the first ``MOST_PHRASE`` pages of ``order`` that contain every phrase.

    Each list has those of the next ``PHRASE_STEP`` pages, so that a caller can stop early: each
    text takes some files. ``text`` gives the whole text of a page.
    """
    wanted = [plain(phrase) for phrase in phrases]
    looked = order[:MOST_PHRASE]
    for at in range(0, len(looked), PHRASE_STEP):
        texts = {page: plain(text(page)) for page in looked[at : at + PHRASE_STEP]}
        yield [page for page in texts if all(phrase in texts[page] for phrase in wanted)]
