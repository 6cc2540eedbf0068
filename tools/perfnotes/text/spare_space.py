"""Finds spare white space: what can be removed or replaced without changing any page.

This is white space at the end of a line, tabs in the indentation, a second blank line in a row, and
a missing line feed at the end of the file. White space at the end of a line stays if it is a hard
line break, that is, two or more blanks in a paragraph that goes on. Code, formulas and front matter
stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.text.tokens import MarkdownDocument

_TAB_STOP = 4  # columns from one tab stop to the next in CommonMark and Python-Markdown
# A text without any of these has no spare white space, except perhaps at its end.
_SIGNS = (" \n", "\t", "\n\n\n")
# A match begins only at the first blank of several: trying from each of n takes n² / 2 steps.
_PLACE = re.compile(
    r"(?P<lines>\n(?:[ \t]*\n){2,})|(?<![ \t])(?P<end>[ \t]+)(?=\n|\Z)"
    r"|(?<=\n)(?P<tabs>[ ]*\t[ \t]*)(?=[^ \t\n])"
)


class SpareSpace(Struct, frozen=True):
    """The white space from ``start`` to ``end`` can be replaced by ``new``."""

    start: int
    end: int
    new: str


def spare_space(document: MarkdownDocument) -> Iterator[SpareSpace]:
    """Yield the spare white space of a document, in the order of the text."""
    text, start = document.text, document.start
    if not text[start:].strip():
        return
    last = len(text.rstrip())
    if any(sign in text for sign in _SIGNS):
        left_alone = sorted([*document.code, *((m.start, m.end) for m in document.maths)])
        starts = [a for a, _ in left_alone]
        for found in _PLACE.finditer(text, max(0, start - 1), last):
            i = bisect_left(starts, found.end()) - 1
            if any(found.start() < b for _, b in left_alone[max(0, i - 1) : i + 1]):
                continue
            new = _replacement(text, found)
            if new is not None and found.start() >= start:
                yield SpareSpace(found.start(), found.end(), new)
    if text[last:] != "\n" and not any(b > last for _, b in document.code):
        yield SpareSpace(last, len(text), "\n")


def _replacement(text: str, found: re.Match[str]) -> str | None:
    """Return the new white space, or None if the old one is a hard line break."""
    if found["lines"]:
        return "\n\n"
    if found["tabs"]:
        return found["tabs"].expandtabs(_TAB_STOP)
    after = text.find("\n", found.end() + 1)
    follows = text[found.end() + 1 : after if after >= 0 else len(text)].strip()
    line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    # Python-Markdown turns a tab into blanks, so a single tab can be a hard line break too.
    is_break = found[0] != " " and line.strip() and follows
    return None if is_break else ""
