"""The blocks of a Markdown text: headings, fences, code, math, tables, quotes and list nesting.

The scanner follows CommonMark's idea of lists and code, because that is how a note reads on a
code host. Where Python-Markdown, the site's engine, reads the same text differently (nesting by
four columns, blank lines around blocks, ``#include`` at a line's start), the scanner emits the
edits that make both agree. The text of code is never among them.
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
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_DEFINITION = re.compile(
    r"\[(?![\^@])(?P<label>[^\[\]\n]+)\]:[ \t]*(?:\n[ \t]*)?(?P<dest><[^<>\n]*>|\S+)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$"
)
# What may begin a block in the middle of a paragraph, but for list items.
_INTERRUPTS = re.compile(
    r">|#{1,6}(?:[ \t]|$)|```|~~~|\$\$|<!--|(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$"
    r"|\[\^[^\]\s]+\]:|(?:!!!|\?\?\?\+?|===[!+]{0,2})[ ]"
    r"|</?(?:pre|script|style|div|details|table|p|ul|ol|h[1-6]|center|blockquote|section|hr)\b",
    re.IGNORECASE,
)
_OPENERS = frozenset("-*+0123456789#`~<$[!?=:>_")
_DEEPEST_LIST = 12  # the engine recurses
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
        left = False
        if self.stack and indent < self.base:
            left = self.leave(self.text[at:end], indent)
        if self.before == "blank":
            self.since_blank = 0
            self.chunk = len(self.stack)
        if indent >= 4 and indent - self.base >= 4 and self.before not in TEXTUAL:
            return self.indented_code(i, at, indent)
        return self.block(i, at, indent, left)

    def leave(self, rest: str, indent: int) -> bool:
        """Leave the list items that this line does not belong to; whether any was left."""
        marker = _MARKER.match(rest) is not None
        starts = marker or _INTERRUPTS.match(rest) is not None
        left = False
        while indent < self.base:
            if self.before in TEXTUAL and not starts:
                break  # a lazy continuation line stays in its item
            inside = indent - self.stack[-1].marker
            if inside >= 2 and (not marker or self.before != "blank"):
                break  # less than the item's text, but more than its marker: meant as content
            self.stack.pop()
            left = True
        return left

    def block(self, i: int, at: int, indent: int, left: bool, marked: bool = False) -> int:
        """Handle what begins at ``at`` in line ``i``; ``marked``: behind a list marker."""
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
        """Blocks that their first character announces; 0 where it is only text."""
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
        if first == "[":
            after = self.definition(i, at, rest)
            if after:
                return after
        if first in "-*_" and _is_rule(rest):
            if not marked:
                self.place(i, at, indent, blank=left or self.before in PARTED)
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
        """``2024. was a good year`` in a paragraph begins no list, and an empty item none."""
        if self.stack or self.before not in ("text", "quote"):
            return False
        return marker["number"] not in (None, "1") or marker.end() == len(rest)

    def item(self, i: int, at: int, indent: int, marker: re.Match[str], marked: bool) -> int:
        del self.stack[_DEEPEST_LIST:]
        depth = len(self.stack)
        self.out.breaks.append(at)
        if not marked:
            blank = self.before in SOLID or self.before == "code" or depth < self.chunk
            self.place(i, at, indent, blank=blank or self.is_long)
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
        """A marker alone: its text, if any, begins in the next line, where the engine misses it."""
        end = self.lines[i][1]
        if i + 1 < len(self.lines) and len(self.stack) <= _DEEPEST_LIST:
            indent, rest = self.split(i + 1)
            if rest and indent >= self.base:
                behind = self.lines[i + 1][1]
                content = behind - len(rest)
                self.edit(at, content, " ")
                return self.block(i + 1, content, indent, left=False, marked=True)
        if self.text[at - 1] == "-":
            self.edit(at - 1, end, "* ")  # the engine would take it for a heading's underline
        else:
            self.edit(at, end, " ")
        return i + 1

    def quote(self, i: int, at: int, indent: int, left: bool, marked: bool) -> int:
        """Scan the inside of a quote as a text of its own."""
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
        self.before = "quote" if inner.before in ("text", "first", "quote") else "fence"
        return i + len(inside)

    def is_table(self, i: int, at: int, end: int) -> bool:
        if self.text.find("|", at, end) < 0 or i + 1 == len(self.lines):
            return False
        start, stop = self.lines[i + 1]
        row = self.text[start:stop]
        return "-" in row and "|" in row and _DELIMITERS.match(row) is not None

    def table(self, i: int, at: int, indent: int, marked: bool) -> int:
        """A table's rows, up to a blank line or another block."""
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
        """A link definition, whose destination may stand in the next line; else 0."""
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
            return  # the engine joins it to the item's first line wherever it stands
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
