"""What the readers of wikis share: pieces of Markdown behind placeholders, and escaping."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache

from perfnotes.contribute.imports.escape import destination, escape
from perfnotes.contribute.imports.imported_page import Guess, ImportedPage

_LINE_END = re.compile("\n")
# Placeholders are between two characters of Unicode's private use area.
_PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")


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


class Stash:
    """Finished Markdown behind placeholders, which no rule of a wiki's syntax matches.

    ``put`` makes a placeholder, ``restore`` replaces placeholders by what they stand for. The stash
    also collects the page's guesses, footnotes and texts to keep aside.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.kept: list[str] = []
        self.guesses: list[Guess] = []
        self.asides: list[str] = []
        self.footnotes: list[str] = []  # their texts, in order

    def put(self, markdown: str) -> str:
        """Return a placeholder for a piece of Markdown."""
        self.kept.append(markdown)
        return f"\ue000{len(self.kept) - 1}\ue001"

    def page(self, rows: Sequence[str], lines: Sequence[int]) -> ImportedPage:
        """The finished page of rows of Markdown, whose source lines are ``lines``."""
        body: list[str] = []
        sources: list[int] = []
        for row, line in zip(rows, lines, strict=True):
            parts = self.restore(row).split("\n")
            body += parts
            sources += [line] * len(parts)
        return ImportedPage(
            self.path,
            "\n".join(body),
            tuple(sources) or (1,),
            tuple(self.guesses),
            tuple(self.asides),
        )

    def restore(self, text: str) -> str:
        """Replace every placeholder in the text, also those inside of pieces."""
        for _ in range(50):
            text, count = _PLACEHOLDER.subn(self._one, text)
            if not count:
                break
        return text

    def _one(self, found: re.Match[str]) -> str:
        i = int(found[1])
        return self.kept[i] if i < len(self.kept) else ""

    def tell(self, line: int, what: str, mend: str = "") -> None:
        self.guesses.append(Guess(self.path, line, what, mend))

    def footnote(self, words: str) -> str:
        """Return a placeholder for a footnote's mark; ``endnotes`` returns the footnote's text."""
        self.footnotes.append(words)
        return self.put(f"[^{len(self.footnotes)}]")

    def endnotes(self) -> list[str]:
        """The rows with all footnotes, for the end of the page."""
        rows = []
        for i, words in enumerate(self.footnotes, 1):
            rows += ["", f"[^{i}]: {' '.join(words.split())}"]
        return rows


def without_marks(text: str) -> str:
    """A source text without the characters that ``Stash`` uses in placeholders."""
    return text.replace("\ue000", "\ufffd").replace("\ue001", "\ufffd")


def link(words: str, target: str) -> str:
    """A link to a page by its name, which ``links`` resolves later."""
    return f"[{words}](wiki:{destination(target)})"


def escape_between(
    text: str, pattern: re.Pattern[str], make: Callable[[re.Match[str]], str]
) -> str:
    """Escape a text, except for the matches of ``pattern``, of which ``make`` makes Markdown."""
    parts: list[str] = []
    at = 0
    for found in pattern.finditer(text):
        # Placeholders survive, as they have no characters that are escaped.
        parts += [escape(text[at : found.start()]), make(found)]
        at = found.end()
    parts.append(escape(text[at:]))
    return "".join(parts)
