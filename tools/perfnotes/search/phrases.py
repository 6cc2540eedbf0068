"""Exact phrases: looked for in the texts of the best pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from perfnotes.search.constants import MOST_PHRASE, PHRASE_STEP
from perfnotes.search.tokens import fold

Place = tuple[str, str, str]  # anchor, heading, text


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


def block_with(blocks: Sequence[Sequence[str]], phrases: Sequence[str]) -> Place | None:
    """Return the block of a page that has most of the phrases, the first of equal ones.

    If no block has a phrase, one may begin in a block and end in the next: then both texts are
    taken. The heading is that of the section, which only the section's first block has. Returns
    None if the phrases are in none, such as those of a title.
    """
    wanted = [folded_phrase(phrase) for phrase in phrases]
    for many in (1, 2):
        candidates = [blocks[i : i + many] for i in range(len(blocks))]
        texts = ["\n".join(f"{heading}\n{text}" for _, heading, text in c) for c in candidates]
        texts = [folded_phrase(text) for text in texts]
        counts = [sum(phrase in text for phrase in wanted) for text in texts]
        if any(counts):
            found = candidates[counts.index(max(counts))]
            anchor = found[0][0]
            heading = next(heading for own, heading, _ in blocks if own == anchor)
            return anchor, heading, " ".join(text for *_, text in found)
    return None
