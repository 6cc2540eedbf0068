"""Finds line breaks between Chinese characters, which a browser would show as a space.

Chinese and Japanese have no spaces between words, so a paragraph whose source is wrapped has to be
put together without them. Korean has spaces, and so keeps its line breaks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

_WIDE = "\u3001-\u301f\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff65"
# The line break comes first, since a search finds one character fastest.
_BREAK = re.compile(f"\n(?<=[{_WIDE}]\n)[ \t]*(?=[{_WIDE}])")


def joined(text: str) -> str:
    """Return words without the breaks that stand between Chinese characters."""
    return _BREAK.sub("", text) if "\n" in text else text


def line_joints(document: MarkdownDocument) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each break inside a paragraph, with the indentation after it.

    Breaks in code, formulas, tables, headings and definitions are left out. So are those in quotes.
    """
    blocks = document.blocks
    found = list(_BREAK.finditer(document.text, document.start))
    if not found or document.excess:
        return
    headings = [(h.start, h.end) for h in blocks.headings]
    definitions = [(d.start, d.end) for d in blocks.definitions]
    maths = [(m.start, m.end) for m in document.maths]
    others = [
        Spans(list(each)) for each in (document.code, blocks.tables, headings, definitions, maths)
    ]
    breaks = sorted(blocks.breaks)
    for match in found:
        i = bisect_left(breaks, match.start())
        parted = i < len(breaks) and breaks[i] <= match.end()
        if not parted and not any(each.around(match.start()) for each in others):
            yield match.span()
