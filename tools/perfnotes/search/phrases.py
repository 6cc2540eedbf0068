"""Exact phrases: looked for in the texts of the best pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from perfnotes.search.constants import MOST_PHRASE, PHRASE_STEP
from perfnotes.search.tokens import fold


def folded_phrase(text: str) -> str:
    """Return a text as phrases are compared: folded, in lower case, with single spaces."""
    return " ".join(fold(text).lower().split())


def with_phrases(
    order: Sequence[int], phrases: Sequence[str], text: Callable[[int], str]
) -> Iterator[list[int]]:
    """Yield those of the first ``MOST_PHRASE`` pages of ``order`` that contain every phrase.

    ``text`` gives the whole text of a page, which takes several files. So the pages are looked at
    in steps of ``PHRASE_STEP``, and a list is yielded for each step: a caller may stop early.
    """
    wanted = [folded_phrase(phrase) for phrase in phrases]
    looked = order[:MOST_PHRASE]
    for at in range(0, len(looked), PHRASE_STEP):
        texts = {page: folded_phrase(text(page)) for page in looked[at : at + PHRASE_STEP]}
        yield [page for page in texts if all(phrase in texts[page] for phrase in wanted)]
