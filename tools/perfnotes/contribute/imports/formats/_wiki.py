"""What the wikis have in common: pieces set aside while the rest is read, and lists by marks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache

from perfnotes.contribute.imports.escape import destination, escape
from perfnotes.contribute.imports.lined import Guess

_LINE_END = re.compile("\n")
_HOLD = re.compile("\ue000(\\d+)\ue001")


def line_of(found: re.Match[str]) -> int:
    """The line, counted from 1, in which a match begins."""
    return bisect_left(_line_ends(found.string), found.start()) + 1


@lru_cache(maxsize=1)
def _line_ends(text: str) -> list[int]:
    return [each.start() for each in _LINE_END.finditer(text)]


def begins_line(found: re.Match[str]) -> bool:
    """Whether only blanks stand before a match in its line."""
    at = found.start()
    while at and found.string[at - 1] in " \t":
        at -= 1
    return not at or found.string[at - 1] == "\n"


class Hold:
    """Finished Markdown behind marks that no rule of the wiki touches."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.kept: list[str] = []
        self.guesses: list[Guess] = []
        self.asides: list[str] = []
        self.notes: list[str] = []  # footnotes, in order

    def put(self, markdown: str) -> str:
        """A mark that stands for the Markdown."""
        self.kept.append(markdown)
        return f"\ue000{len(self.kept) - 1}\ue001"

    def back(self, text: str) -> str:
        """The text with every mark replaced by what it stands for."""
        for _ in range(50):
            text, count = _HOLD.subn(self._one, text)
            if not count:
                break
        return text

    def _one(self, found: re.Match[str]) -> str:
        i = int(found[1])
        return self.kept[i] if i < len(self.kept) else ""

    def tell(self, line: int, what: str, mend: str = "") -> None:
        self.guesses.append(Guess(self.path, line, what, mend))

    def footnote(self, words: str) -> str:
        """A mark for a footnote, whose text comes at the end of the page."""
        self.notes.append(words)
        return self.put(f"[^{len(self.notes)}]")

    def endnotes(self) -> list[str]:
        rows = []
        for i, words in enumerate(self.notes, 1):
            rows += ["", f"[^{i}]: {' '.join(words.split())}"]
        return rows


def held(text: str) -> str:
    """A source text without the characters that Hold uses as marks."""
    return text.replace("\ue000", "\ufffd").replace("\ue001", "\ufffd")


def link(words: str, target: str) -> str:
    """A link whose target is a page's name; ``links`` looks it up later."""
    return f"[{words}](wiki:{destination(target)})"


def plain(text: str, pattern: re.Pattern[str], make: Callable[[re.Match[str]], str]) -> str:
    """Text in which matches become Markdown and all between them is escaped."""
    parts: list[str] = []
    at = 0
    for found in pattern.finditer(text):
        parts += [_escaped(text[at : found.start()]), make(found)]
        at = found.end()
    parts.append(_escaped(text[at:]))
    return "".join(parts)


def _escaped(text: str) -> str:
    """Escaped but for the marks of Hold, which hold no sign that is escaped."""
    return escape(text)
