"""Masks the code blocks of a text, so that the inline scanners find nothing in them."""

from __future__ import annotations

import re

from perfnotes.text.pairs import Pairs
from perfnotes.text.tokens import MarkdownDocument, TextEdit

_NOT_NEWLINE = re.compile(r"[^\n]+")


class Masked:
    """``masked`` is the text with blanks in place of code and displayed formulas.

    It has the same length and the same line feeds as the text, so offsets are the same.
    """

    def __init__(self, document: MarkdownDocument) -> None:
        self.doc = document
        blocks = document.blocks
        cut = sorted(blocks.code + [(a, b) for a, b, _ in blocks.display_math])
        self.masked = _blank_out(document.text, cut) if cut else document.text
        self.pairs = Pairs(self.masked, blocks.breaks)
        self.labels = {d.label for d in blocks.definitions}
        self._unclosed: set[str] = set()

    def edit(self, start: int, end: int, new: str) -> None:
        self.doc.edits.append(TextEdit(start, end, new))

    def closing(self, what: str, at: int) -> int:
        """Return the offset of the next ``what`` from ``at`` on, in any case, or -1."""
        if what in self._unclosed:
            return -1
        found = re.compile(re.escape(what), re.IGNORECASE).search(self.masked, at)
        if not found:
            self._unclosed.add(what)
            return -1
        return found.start()


def _blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for begin, end in spans:
        start = max(begin, at)
        if end <= start:
            continue
        parts.append(text[at:start])
        parts.append(_NOT_NEWLINE.sub(_spaces, text[start:end]))
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])
