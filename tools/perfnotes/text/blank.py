"""White space that says nothing: taking it out changes no page.

Blanks at the end of a line, tabs where blanks stand for the same columns, a second blank line, and
a last line without an end. Two blanks at the end of a line are a hard line break where the
paragraph goes on, so they stay there; code, formulas and front matter stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.text.tokens import Document

_STOP = 4  # columns from one tab stop to the next, as CommonMark and Python-Markdown have it
_SUSPECT = (" \n", "\t", "\n\n\n")  # without these only the end may be such a place
_PLACE = re.compile(
    r"(?P<lines>\n(?:[ \t]*\n){2,})|(?P<end>[ \t]+)(?=\n|\Z)"
    r"|(?<=\n)(?P<tabs>[ ]*\t[ \t]*)(?=[^ \t\n])"
)


@dataclass(frozen=True, slots=True)
class Spare:
    """From ``start`` to ``end`` the text ``new`` says as much."""

    start: int
    end: int
    new: str


def spare(document: Document) -> Iterator[Spare]:
    """Every such place, in order."""
    text, start = document.text, document.start
    if not text[start:].strip():
        return
    last = len(text.rstrip())
    if any(sign in text for sign in _SUSPECT):
        quoted = sorted([*document.code, *((m.start, m.end) for m in document.maths)])
        starts = [a for a, _ in quoted]
        for found in _PLACE.finditer(text, max(0, start - 1), last):
            i = bisect_left(starts, found.end()) - 1
            if any(found.start() < b for _, b in quoted[max(0, i - 1) : i + 1]):
                continue
            new = _instead(text, found)
            if new is not None and found.start() >= start:
                yield Spare(found.start(), found.end(), new)
    if text[last:] != "\n" and not any(b > last for _, b in document.code):
        yield Spare(last, len(text), "\n")


def _instead(text: str, found: re.Match[str]) -> str | None:
    """What stands there instead; None where the place says something."""
    if found["lines"]:
        return "\n\n"
    if found["tabs"]:
        return found["tabs"].expandtabs(_STOP)
    after = text.find("\n", found.end() + 1)
    follows = text[found.end() + 1 : after if after >= 0 else len(text)].strip()
    line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    is_break = found[0] != " " and line.strip() and follows  # the engine takes a tab for blanks
    return None if is_break else ""
