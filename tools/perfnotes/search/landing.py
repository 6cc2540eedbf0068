"""Landing: whether a result opens at one section of its page or at the top.

A page's top gives its answer in short, so that is where a result opens. It opens at a section only
if that clearly is the answer: much of what the query says of the page is in the section, and at
least half of the words of its heading were asked for; or nearly all of it is there, whatever the
heading says; or the query has code, and three quarters of it are there; or the query is one word
that the page has nowhere else. Whichever it is, the answer may stand at the other place: the
section that says most of the query, or the top. A result names that place too. The twin in
JavaScript is ``landing.js``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from perfnotes.search.confidence import Asked
from perfnotes.search.constants import BLOCKS, LANDING, STOP
from perfnotes.search.tokens import tokens


def section_share(blocks: Mapping[int, float], anchors: Sequence[str], at: int) -> float:
    """Return the share of a page's evidence that is in the section of block ``at``.

    ``blocks`` maps blocks to what they contribute. ``anchors`` are those of the blocks that are in
    one file with block ``at``.
    """
    first = at - at % BLOCKS
    same = [first + i for i, anchor in enumerate(anchors) if anchor == anchors[at - first]]
    total = sum(blocks.values())
    return sum(blocks.get(block, 0.0) for block in same) / total if total else 0.0


def fullest_section(blocks: Mapping[int, float], anchors: Sequence[str], at: int) -> int:
    """Return the first block of the section that has most of a page's evidence; -1 if none has any.

    Only the sections that are in one file with block ``at`` count, so that no other file is read.
    Arguments are those of ``section_share``. Of several equal sections the first one is taken.
    """
    first = at - at % BLOCKS
    said: dict[str, float] = {}
    for i, anchor in enumerate(anchors):
        if anchor and (value := blocks.get(first + i, 0.0)):
            said[anchor] = said.get(anchor, 0.0) + value
    return first + anchors.index(max(said, key=said.__getitem__)) if said else -1


def opens_at_section(heading: str, share: float, terms: Collection[str], asked: Asked) -> bool:
    """Return whether a section with ``share`` of the evidence is where a result opens.

    ``terms`` are those found for the query. Hardly any heading names a call or an option, so with
    code in the query the share decides.
    """
    alone = "only" if asked.slots == 1 else "code" if asked.has_code else "alone"
    if share >= LANDING[alone]:
        return True
    return share >= LANDING["share"] and _asked(heading, terms) >= LANDING["heading"]


def _asked(heading: str, terms: Collection[str]) -> float:
    """Return the share of the heading's words that were asked for."""
    words = [
        word
        for token in tokens(heading)
        for word, _ in (token.terms if token.is_cjk else token.terms[:1])
        if word not in STOP
    ]
    return sum(word in terms for word in words) / len(words) if words else 0.0
