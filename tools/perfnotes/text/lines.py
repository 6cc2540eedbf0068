"""The lines of one container, and the edits that put a block where the engine expects it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from perfnotes.text.tokens import Blocks, TextEdit

# The kind of the line before the current one:
#   text   a paragraph that the engine takes for a block of its own
#   first  the first paragraph of a list item
#   inner  a fence within the first paragraph of a list item
#   quote  a quote whose paragraph may go on in the next line
#   code   indented code
#   fence  a fence, or a quote whose paragraph cannot go on
Before = Literal["blank", "text", "first", "inner", "quote", "table", "fence", "code", "other"]

TEXTUAL = frozenset({"text", "first", "quote", "table"})
# Kinds of blocks that need a blank line after them. Without it the engine makes the next heading,
# rule or quote a part of a block in PARTED, and the next list item or fence a part of one in SOLID.
PARTED = frozenset({"quote", "table", "fence", "first", "inner"})
SOLID = frozenset({"quote", "table", "fence", "text"})
# Lines, and characters, without a blank line between them. The engine looks through the rest of a
# block again after each heading, rule or box in it, so a long block gets blank lines. A list gets
# them later, because they widen the gaps between its items.
_LONG, _LONG_LIST = 40, 400
_MANY = 4000


class Item(Struct):
    """A list item: the columns of its marker and of its content."""

    marker: int
    content: int


def columns(space: str) -> int:
    """Return the width of white space in columns, with a tab stop at every fourth column."""
    return len(space.expandtabs(4)) if "\t" in space else len(space)


class Lines:
    """The state of a scan of one container.

    ``stack`` holds the list items around the current line. ``lead`` is what every inserted line
    begins with: the markers of the quotes around this container, or nothing. ``depth`` is the
    number of these quotes.
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
        # How many list items were open at the first line after the last blank one.
        self.depth_after_blank = 0
        self.before: Before = "blank"
        self.since_blank = 0  # lines since the last blank one
        self.characters = 0  # the number of characters of these lines

    @property
    def base(self) -> int:
        """The column in which the content of the innermost list item begins."""
        return self.stack[-1].content if self.stack else 0

    def split(self, i: int) -> tuple[int, str]:
        """Return the column of line ``i``'s first word, and the line from that word on."""
        start, end = self.lines[i]
        raw = self.text[start:end]
        if raw[:1] not in (" ", "\t"):
            return 0, raw
        rest = raw.lstrip(" \t")
        return columns(raw[: len(raw) - len(rest)]), rest

    def edit(self, start: int, end: int, new: str) -> None:
        self.out.edits.append(TextEdit(start, end, new))

    @property
    def is_long(self) -> bool:
        """Whether a blank line should be inserted, because long blocks make the engine slow."""
        return self.since_blank > _LONG or self.characters > _MANY

    @property
    def is_long_list(self) -> bool:
        """Whether a blank line should be inserted although it widens the gap in a list."""
        return self.since_blank > _LONG_LIST

    def place(self, i: int, at: int, indent: int, *, blank: bool) -> None:
        """Indent line ``i``, whose text begins at ``at``, as its list level needs.

        ``blank`` asks for a blank line before it.
        """
        want = 4 * len(self.stack)
        if blank:
            self.since_blank = self.characters = 0
            self.depth_after_blank = len(self.stack)
            self.edit(self.lines[i][0], at, f"\n{self.lead}{' ' * want}")
        elif want != indent:
            self.edit(self.lines[i][0], at, " " * want)
