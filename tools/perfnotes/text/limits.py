"""What keeps the engine from never coming to an end on a text that nobody wrote to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from perfnotes.text.pairs import Pairs
from perfnotes.text.tokens import Document, Edit

_SIGN = re.compile(r"[\\`*_<\[&$~{]")
_MANY = 3000  # fences, or displayed formulas
_LONG = 20_000  # characters of a paragraph
_DENSE = 500_000_000  # characters times signs
_LOOSE = 50  # brackets that belong to no link; with many of them the engine gets slow


def escape_loose(document: Document, pairs: Pairs, loose: Iterable[int]) -> None:
    """Keep the engine from looking for the end of brackets that have none."""
    by_paragraph: dict[int, list[int]] = {}
    for at in loose:
        by_paragraph.setdefault(pairs.paragraph_end(at), []).append(at)
    for group in by_paragraph.values():
        if len(group) > _LOOSE:
            document.edits += [Edit(at, at + 1, "&#91;") for at in group]


def densest(document: Document, masked: str, pairs: Pairs) -> int:
    """Where the engine would be lost, which is quadratic in fences and in a paragraph's signs."""
    blocks = document.blocks
    if len(blocks.fences) > _MANY:
        return blocks.fences[_MANY].start
    if len(blocks.display_math) > _MANY:
        return blocks.display_math[_MANY][0]
    start = document.start
    for end in pairs.breaks:
        if end - start > _LONG:
            signs = len(_SIGN.findall(masked, start, end))
            if signs * (end - start) > _DENSE:
                return start
        start = end
    return -1
