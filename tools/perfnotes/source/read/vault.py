"""Comments of Obsidian, ``%%words%%``, which readers of a vault do not see."""

from __future__ import annotations

import re

from perfnotes.text.inline import scan
from perfnotes.text.source import Source
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

_SIGN = re.compile("%%")
_BLANK = re.compile(r"\n[ \t>]*\n")
_BEGINS_LINE = re.compile(r"^[ \t>*+-]{0,40}(?=%%)", re.MULTILINE)


def without_comments(source: Source, start: int) -> Source:
    """Return the text without its comments behind the offset ``start``; lines keep their numbers.

    A sign in code or in a formula begins no comment, nor does one that no other sign follows.
    """
    text = source.text
    if text.count("%%", start) < 2:
        return source
    pieces: list[str] = []
    at = 0
    for begin, end in comments(scan(text, start)):
        pieces += (text[at:begin], "\n" * text.count("\n", begin, end))
        at = end
    return Source(source.path, "".join((*pieces, text[at:])))


def comments(document: MarkdownDocument) -> list[tuple[int, int]]:
    """Return where the comments of a text begin and end.

    Only one that begins its line may hold a blank line.
    """
    code = Spans([*document.code, *((each.start, each.end) for each in document.maths)])
    text, found = document.text, list[tuple[int, int]]()
    begin_lines = {m.end() for m in _BEGINS_LINE.finditer(text, document.start)}
    opened = -1
    for sign in _SIGN.finditer(text, document.start):
        at = sign.start()
        if code.around(at):
            continue
        if opened in begin_lines or (opened >= 0 and not _BLANK.search(text, opened, at)):
            found.append((opened, at + 2))
            opened = -1
        else:
            opened = at
    return found
