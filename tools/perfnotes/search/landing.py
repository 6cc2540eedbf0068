"""Landing: whether a result opens at one section of its page or at the top.

A page's top gives its answer in short, so a result opens at the top unless one section clearly is
the answer. The evidence of a block is what the query's slots contribute to the score there. A
result opens at a section in these cases:

- The section has at least 40 % of the page's evidence, and at least half of the words of its
  heading are in the query.
- It has at least 90 % of the evidence, or 75 % if the query has code.
- The query is one word, and the section has at least 95 % of the evidence.

A result with an exact phrase opens at the section that has it (``phrases.py``).

``LANDING`` holds these shares. The answer may still stand at the other place: at the section with
most of the evidence, or at the top. So a result names that place too. ``landing.js`` does the
same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from perfnotes.search.confidence import QueryWeights
from perfnotes.search.constants import BLOCKS, LANDING, STOP
from perfnotes.search.tokens import tokens


def section_share(blocks: Mapping[int, float], anchors: Sequence[str], at: int) -> float:
    """Return the share of a page's evidence that is in the section of block ``at``, 0 to 1.

    ``blocks`` maps blocks to their evidence. ``anchors`` are the anchors of the blocks that are in
    one file with block ``at``.
    """
    first = at - at % BLOCKS
    same = [first + i for i, anchor in enumerate(anchors) if anchor == anchors[at - first]]
    total = sum(blocks.values())
    return sum(blocks.get(block, 0.0) for block in same) / total if total else 0.0


def fullest_section(blocks: Mapping[int, float], anchors: Sequence[str], at: int) -> int:
    """Return the first block of the section that has most of a page's evidence; -1 if none has any.

    Only the sections that are in one file with block ``at`` count, so that no other file is read.
    The arguments are those of ``section_share``. Of several equal sections the first one is taken.
    """
    first = at - at % BLOCKS
    said: dict[str, float] = {}
    for i, anchor in enumerate(anchors):
        if anchor and (value := blocks.get(first + i, 0.0)):
            said[anchor] = said.get(anchor, 0.0) + value
    return first + anchors.index(max(said, key=said.__getitem__)) if said else -1


def opens_at_section(
    heading: str, share: float, terms: Collection[str], weights: QueryWeights
) -> bool:
    """Return whether a result opens at a section with this heading and share of the evidence.

    ``terms`` are the terms that were found for the query. Hardly any heading names a call or an
    option, so a smaller share suffices if the query has code.
    """
    alone = "only" if weights.slots == 1 else "code" if weights.has_code else "alone"
    if share >= LANDING[alone]:
        return True
    return share >= LANDING["share"] and _asked_share(heading, terms) >= LANDING["heading"]


def _asked_share(heading: str, terms: Collection[str]) -> float:
    """Return the share of the heading's words that are among ``terms``, 0 to 1."""
    words = [
        word
        for token in tokens(heading)
        for word, _ in (token.terms if token.is_cjk else token.terms[:1])
        if word not in STOP
    ]
    return sum(word in terms for word in words) / len(words) if words else 0.0
