"""The lines of one container, and how a block is put where the engine expects it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from perfnotes.text.tokens import Blocks, Edit

# What stands in the line before, as far as it matters to a line that follows at once: ``text`` is
# a paragraph that is a block of its own to the engine, ``first`` an item's first paragraph,
# ``inner`` a fence within that, ``quote`` a quote whose paragraph may go on, ``code`` an indented
# one; ``fence`` stands for all that takes in no further line.
Before = Literal["blank", "text", "first", "inner", "quote", "table", "fence", "code", "other"]

TEXTUAL = frozenset({"text", "first", "quote", "table"})
# Without a blank line between, the engine takes a heading, rule or quote for part of PARTED ones,
# and an item or a fence for part of SOLID ones.
PARTED = frozenset({"quote", "table", "fence", "first", "inner"})
SOLID = frozenset({"quote", "table", "fence", "text"})
_LONG = 400  # lines without a blank one


@dataclass(slots=True)
class Item:
    """A list item: the columns of its marker and of its content."""

    marker: int
    content: int


def columns(space: str) -> int:
    """How wide white space is, with tab stops at every fourth column."""
    return len(space.expandtabs(4)) if "\t" in space else len(space)


class Lines:
    """The state of a scan: ``stack`` holds the list items around the current line.

    ``lead`` is what an inserted line begins with: nothing, or the markers of the quotes around.
    """

    def __init__(
        self, text: str, lines: list[tuple[int, int]], outer: Lines | None = None, lead: str = ""
    ) -> None:
        self.text = text
        self.lines = lines
        self.lead = lead
        self.out: Blocks = outer.out if outer else Blocks()
        self.unclosed: set[str] = outer.unclosed if outer else set()
        self.depth: int = outer.depth + 1 if outer else 0
        self.stack: list[Item] = []
        self.chunk = 0  # at which depth the lines since the last blank one began
        self.before: Before = "blank"
        self.since_blank = 0  # lines

    @property
    def base(self) -> int:
        """The column in which the content of the innermost list item begins."""
        return self.stack[-1].content if self.stack else 0

    def split(self, i: int) -> tuple[int, str]:
        """Line ``i``: the column of its first word, and the line from there on."""
        start, end = self.lines[i]
        raw = self.text[start:end]
        if raw[:1] not in (" ", "\t"):
            return 0, raw
        rest = raw.lstrip(" \t")
        return columns(raw[: len(raw) - len(rest)]), rest

    def edit(self, start: int, end: int, new: str) -> None:
        self.out.edits.append(Edit(start, end, new))

    @property
    def is_long(self) -> bool:
        """Whether the engine, which is slow with long blocks, had better begin a new one."""
        return self.since_blank > _LONG

    def place(self, i: int, at: int, indent: int, *, blank: bool) -> None:
        """Put line ``i``, whose text begins at ``at``, into the column of its list level."""
        want = 4 * len(self.stack)
        if blank:
            self.since_blank = 0
            self.chunk = len(self.stack)
            self.edit(self.lines[i][0], at, f"\n{self.lead}{' ' * want}")
        elif want != indent:
            self.edit(self.lines[i][0], at, " " * want)
