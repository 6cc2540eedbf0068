"""The blocks of a Markdown text: headings, fences, code, math, tables, quotes and list nesting.

The scanner follows CommonMark's rules for lists and code, because a code host shows the note by
these rules. Python-Markdown, which makes the site (the comments call it the engine), reads some
texts differently: it nests by four columns, wants blank lines around blocks, and takes ``#include``
at a line's start for a heading. For these places the scanner records edits of the text, so that
Python-Markdown shows the same as a code host. No edit changes the text of code.
"""

from __future__ import annotations

import re

from perfnotes.text.fences import Fences
from perfnotes.text.headings import Headings
from perfnotes.text.lines import PARTED, SOLID, TEXTUAL, Item
from perfnotes.text.tokens import Blocks, Definition

_MARKER = re.compile(r"(?:[-*+]|(?P<number>\d{1,9})[.)])(?P<space>[ \t]+|$)")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_CONTAINER = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]{0,2})[ ]|\[\^[^\]\s]+\]:|:[ ]{1,3}(?=\S)")
_DELIMITERS = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
_DEFINITION = re.compile(
    r"\[(?![\^@])(?P<label>[^\[\]\n]+)\]:[ \t]*(?:\n[ \t]*)?(?P<dest><[^<>\n]*>|\S+)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$"
)
# What may begin a block in the middle of a paragraph, apart from list items.
_INTERRUPTS = re.compile(
    r">|#{1,6}(?:[ \t]|$)|```|~~~|\$\$|<!--|(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$"
    r"|\[\^[^\]\s]+\]:|(?:!!!|\?\?\?\+?|===[!+]{0,2})[ ]"
    r"|</?(?:pre|script|style|div|details|table|p|ul|ol|h[1-6]|center|blockquote|section|hr)\b",
    re.IGNORECASE,
)
_OPENERS = frozenset("-*+0123456789#`~<$[!?=:>_")
_DEEPEST_LIST = 12  # levels; the engine calls itself for each level of a list or quote
_DEEPEST_QUOTE = 6


class _Scanner(Fences, Headings):
    """Scans the lines of one container: the whole text, or the inside of a quote."""

    def run(self) -> None:
        i = 0
        while i < len(self.lines):
            i = self.line(i)

    def line(self, i: int) -> int:
        """Handle line ``i`` and return the next line to handle."""
        start, end = self.lines[i]
        if start == end or self.text[start] in " \t":
            indent, rest = self.split(i)
            at = end - len(rest)
            if not rest:
                self.out.breaks.append(start)
                self.before = "blank"
                return i + 1
        else:
            indent, at = 0, start
        self.since_blank += 1
        self.characters += end - start
        left = False
        if self.stack and indent < self.base:
            left = self.leave(self.text[at:end], indent)
        if self.before == "blank":
            self.since_blank = self.characters = 0
            self.depth_after_blank = len(self.stack)
        if indent >= 4 and indent - self.base >= 4 and self.before not in TEXTUAL:
            return self.indented_code(i, at, indent)
        return self.block(i, at, indent, left)

    def leave(self, rest: str, indent: int) -> bool:
        """Leave the list items that this line does not belong to; return whether there were any."""
        if self.before in TEXTUAL and rest[0] not in _OPENERS:
            return False  # the shorter way for most lines that continue a paragraph lazily
        marker = _MARKER.match(rest) is not None
        starts = marker or _INTERRUPTS.match(rest) is not None
        left = False
        while indent < self.base:
            if self.before in TEXTUAL and not starts:
                break  # a lazy continuation line stays in its item
            inside = indent - self.stack[-1].marker
            if inside >= 2 and (not marker or self.before != "blank"):
                break  # indented less than the item's text, but clearly meant to belong to it
            self.stack.pop()
            left = True
        return left

    def block(self, i: int, at: int, indent: int, left: bool, marked: bool = False) -> int:
        """Handle the block that begins at offset ``at`` of line ``i``; return the next line.

        ``indent`` is the block's column. ``left`` says that the line left a list item, ``marked``
        that a list marker stands before ``at`` in the same line.
        """
        end = self.lines[i][1]
        first = self.text[at]
        if first in _OPENERS:
            rest = self.text[at:end]
            marker = _MARKER.match(rest)
            if marker and not _is_rule(rest) and (left or not self.is_text(marker, rest)):
                return self.item(i, at, indent, marker, marked)
            after = self.special(i, at, rest, indent, left, marked)
            if after:
                return after
        if self.is_table(i, at, end):
            return self.table(i, at, indent, marked)
        if not marked:
            if self.setext(i, at, indent):
                return i + 2
            self.paragraph(i, at, indent, left)
        return i + 1

    def special(self, i: int, at: int, rest: str, indent: int, left: bool, marked: bool) -> int:
        """Handle a block that is known by its first character.

        Returns the next line to handle, or 0 if the line is plain text.
        """
        first = rest[0]
        if first in "`~":
            return self.fence(i, at, rest, indent, left, marked)
        if first == "#":
            return self.heading(i, at, rest, indent, left, marked)
        if first == ">":
            return self.quote(i, at, indent, left, marked)
        if first == "<":
            return self.raw_html(i, at, rest, marked)
        if first == "$":
            return self.math(i, at, indent) if rest.startswith("$$") else 0
        if first == "[" and (after := self.definition(i, at, rest)):
            return after
        if first in "-*_" and _is_rule(rest):
            if not marked:
                blank = left or self.before in PARTED or self.is_long
                self.place(i, at, indent, blank=blank)
            self.out.breaks += [at, at + len(rest)]
            self.before = "other"
            return i + 1
        if first in "!?=[:" and not marked and _CONTAINER.match(rest):
            if self.before != "first":
                self.place(i, at, indent, blank=left or self.is_long)
            self.out.breaks.append(at)
            if first == "[":
                self.out.footnotes.append(at)
            del self.stack[_DEEPEST_LIST:]
            self.stack.append(Item(indent, indent + 4))
            self.before = "text" if first in "[:" else "other"
            return i + 1
        return 0

    def is_text(self, marker: re.Match[str], rest: str) -> bool:
        """Whether a marker in a paragraph is text, as in ``2024. was a good year``.

        Only a bullet or the number 1 begins a list inside a paragraph, and no empty item does.
        """
        if self.stack or self.before not in ("text", "quote"):
            return False
        return marker["number"] not in (None, "1") or marker.end() == len(rest)

    def item(self, i: int, at: int, indent: int, marker: re.Match[str], marked: bool) -> int:
        del self.stack[_DEEPEST_LIST:]
        depth = len(self.stack)
        self.out.breaks.append(at)
        if not marked:
            blank = self.before in SOLID or self.before == "code" or depth < self.depth_after_blank
            self.place(i, at, indent, blank=blank or self.is_long_list)
        width = marker.start("space")
        if self.text[at + width - 1] == ")":
            self.edit(at + width - 1, at + width, ".")
        space = len(marker["space"].expandtabs(4))
        content = indent + width + (space if 1 <= space <= 4 else 1)
        self.stack.append(Item(indent, content))
        self.before = "first"
        if at + marker.end() == self.lines[i][1]:
            return self.empty_item(i, at + width)
        if depth == _DEEPEST_LIST:
            deeper = _MARKER.match(self.text, at + marker.end(), self.lines[i][1])
            if deeper:
                sign = deeper.start("space") - 1
                self.edit(sign, sign, "\\")
            return i + 1
        return self.block(i, at + marker.end(), content, left=False, marked=True)

    def empty_item(self, i: int, at: int) -> int:
        """Handle a line with nothing but a list marker.

        The item's text may begin in the next line. The engine would not see that, so an edit joins
        the two lines.
        """
        end = self.lines[i][1]
        if i + 1 < len(self.lines) and len(self.stack) <= _DEEPEST_LIST:
            indent, rest = self.split(i + 1)
            if rest and indent >= self.base:
                behind = self.lines[i + 1][1]
                content = behind - len(rest)
                self.edit(at, content, " ")
                return self.block(i + 1, content, indent, left=False, marked=True)
        if self.text[at - 1] == "-":
            self.edit(at - 1, end, "* ")  # the engine would take "-" for a heading's underline
        else:
            self.edit(at, end, " ")
        return i + 1

    def quote(self, i: int, at: int, indent: int, left: bool, marked: bool) -> int:
        """Scan the inside of a quote as a text of its own.

        Returns the line after the quote, or 0 if it is nested too deeply and becomes plain text.
        """
        if self.depth == _DEEPEST_QUOTE:
            self.edit(at, at, "\\")
            return 0
        if not marked:
            self.place(i, at, indent, blank=left or self.before in PARTED)
        want = 4 * len(self.stack) - (2 if marked else 0)
        inside: list[tuple[int, int]] = []
        for j in range(i, len(self.lines)):
            column, rest = (indent, ">") if j == i else self.split(j)
            if j > i and (rest[:1] != ">" or not self.base <= column <= self.base + 3):
                break
            start, end = self.lines[j]
            if j > i:
                at = end - len(rest)
                if column != want:
                    self.edit(start, at, " " * want)
            inside.append((at + 1 + self.text.startswith(" ", at + 1, end), end))
        inner = _Scanner(self.text, inside, self, f"{self.lead}{' ' * want}> ")
        inner.run()
        self.out.breaks.append(inside[-1][1])
        words = (a for a, b in inside if self.text[a:b].strip())
        self.out.quotes.append(next(words, inside[0][0]))
        self.before = "quote" if inner.before in ("text", "first", "quote") else "fence"
        return i + len(inside)

    def is_table(self, i: int, at: int, end: int) -> bool:
        if self.text.find("|", at, end) < 0 or i + 1 == len(self.lines):
            return False
        start, stop = self.lines[i + 1]
        row = self.text[start:stop]
        return "-" in row and "|" in row and _DELIMITERS.match(row) is not None

    def table(self, i: int, at: int, indent: int, marked: bool) -> int:
        """Handle a table, which ends at a blank line or another block; return the line after it."""
        if not marked:
            self.place(i, at, indent, blank=self.before in SOLID | PARTED)
        j = i + 1
        while j < len(self.lines):
            column, rest = self.split(j)
            if not rest or _INTERRUPTS.match(rest) or (_MARKER.match(rest) and j > i + 1):
                break
            if not marked:
                self.place(j, self.lines[j][1] - len(rest), column, blank=False)
            self.out.breaks.append(self.lines[j][0])
            j += 1
        self.out.tables.append((at, self.lines[j - 1][1]))
        self.out.breaks += [at, self.lines[j - 1][1]]
        self.before = "table"
        return j

    def definition(self, i: int, at: int, rest: str) -> int:
        """Handle a link definition, whose destination may stand in the next line.

        Returns the line after it, or 0 if the line is no link definition.
        """
        after = i + 1
        if rest.rstrip(" \t").endswith("]:") and after < len(self.lines) and not self.depth:
            after += 1
            rest = self.text[at : self.lines[i + 1][1]]
        found = _DEFINITION.match(rest)
        if not found:
            return 0
        self.out.breaks += [at, at + len(rest)]
        label = " ".join(found["label"].split()).lower()
        a, b = found.span("dest")
        self.out.definitions.append(Definition(label, at, at + a, at + b, at + len(rest)))
        self.before = "other"
        return after

    def paragraph(self, i: int, at: int, indent: int, left: bool) -> None:
        if self.before in ("first", "inner"):
            self.before = "first"
            return  # the engine joins the line to the item's first one, whatever its indentation
        parted = self.before == "fence" or (left and self.before != "blank")
        if parted or self.stack:
            self.place(i, at, indent, blank=parted)
        if self.before != "quote":
            self.before = "text"


def _is_rule(rest: str) -> bool:
    return rest[0] in "-*_" and _RULE.match(rest) is not None


def scan_blocks(text: str, start: int = 0) -> Blocks:
    """Find the blocks of ``text`` from the offset ``start`` on."""
    lines: list[tuple[int, int]] = []
    at = start
    while (end := text.find("\n", at)) >= 0:
        lines.append((at, end))
        at = end + 1
    lines.append((at, len(text)))
    scanner = _Scanner(text, lines)
    scanner.run()
    scanner.out.edits.sort(key=lambda e: (e.start, e.end))
    return scanner.out
