"""Scans blocks that hold no Markdown: fenced and indented code, display math, raw HTML."""

from __future__ import annotations

import re

from perfnotes.text.lines import SOLID, Lines, columns
from perfnotes.text.tokens import Fence

_RAW_OPEN = re.compile(r"<(?P<tag>pre|script|style|textarea)\b", re.IGNORECASE)
# The engine makes a list of all numbers in the ranges of hl_lines, so these are few and short.
_RANGE = r"\d{1,4}(?:-\d{1,4})?"
_OPTION = (
    rf"(?:title=(?:\"[^\"]*\"|'[^']*')|hl_lines=\"{_RANGE}(?:[ ]+{_RANGE}){{0,19}}\""
    r"|linenums=\"\d{1,6}(?:[ ]+\d{1,6}){0,2}\")"
)
_GOOD_INFO = re.compile(
    rf"(?:[ \t]*+\{{[ ]*\.[\w#+-]+(?:[ ]+{_OPTION})*[ ]*\}}"
    rf"|(?:[ \t]*+[\w#+-][\w#.+-]*)?(?:[ \t]++{_OPTION})*)[ \t]*+$"
)
_GIVEN = re.compile(rf"(?<![^\s{{]){_OPTION}(?![^\s}}])")
_INFO_WORD = re.compile(r"\{?[ \t]*\.?([\w#+-][\w#.+-]*)")


class Fences(Lines):
    """The part of the block scanner for code, formulas and raw HTML, whose text stays as it is.

    Its methods return the next line to handle, or 0 if the line does not begin such a block.
    """

    def indented_code(self, i: int, at: int, indent: int) -> int:
        """Handle one line of indented code, and move it where the engine reads it as code."""
        start, end = self.lines[i]
        code = self.out.code
        if self.before == "code" and code[-1][1] + 1 == start:
            code[-1] = (code[-1][0], end)  # joined, for 150,000 pieces would cost seconds
        else:
            code.append((start, end))
        want = 4 * len(self.stack) + indent - self.base
        if want != indent:
            self.edit(start, at, " " * want)
        self.before = "code"
        return i + 1

    def fence(self, i: int, at: int, rest: str, indent: int, left: bool, marked: bool) -> int:
        """Handle a fence up to the line that closes it, or to the end of its container."""
        mark = rest[0]
        length = len(rest) - len(rest.lstrip(mark))
        info = rest[length:]
        if length < 3 or (mark == "`" and "`" in info):
            return 0
        last, closed = self._fence_end(i, mark * length, min(indent, self.base))
        stop = self.lines[last][1]
        word = _INFO_WORD.match(info.strip())
        language = word[1] if word else ""
        info_start, info_end = at + length, at + len(rest)
        self.out.fences.append(Fence(at, stop, language, info_start, info_end, closed))
        self.out.code.append((at, stop))
        self.out.breaks += [at, stop]
        want = 4 * len(self.stack)
        own_block = left or self.before in SOLID
        if marked:  # the engine recognises a fence only at a line's start
            self.edit(at, at, f"\n{self.lead}{' ' * want}")
        elif own_block:
            self.place(i, at, indent, blank=True)
        else:
            self._shift(i, i, indent, want)
        if not _GOOD_INFO.match(info):
            options = _GIVEN.findall(info) if language else []
            self.edit(info_start, info_end, " ".join([language, *options]))
        self._shift(i + 1, last - closed, indent, want)
        if closed:
            self._shift(last, last, self.split(last)[0], want)
        else:
            self.edit(stop, stop, f"\n{self.lead}{' ' * want}{mark * length}")
        self.before = "inner" if self.before in ("first", "inner") and not left else "fence"
        return last + 1

    def _fence_end(self, i: int, ticks: str, floor: int) -> tuple[int, bool]:
        """Return the fence's last line, and whether that line closes the fence.

        ``floor`` is the column in which the fence's container begins.
        """
        for j in range(i + 1, len(self.lines)):
            if not floor and self.text.find(ticks, *self.lines[j]) < 0:
                continue
            indent, rest = self.split(j)
            closes = rest.startswith(ticks) and not rest.lstrip(ticks[0]).strip()
            if closes and floor <= indent < floor + 4:
                return j, True
            if rest and indent < floor:
                return j - 1, False
        return len(self.lines) - 1, False

    def _shift(self, first: int, last: int, indent: int, want: int) -> None:
        """Move the lines ``first`` to ``last`` from column ``indent`` to column ``want``."""
        if want == indent == self.depth == 0:
            return
        for k in range(first, last + 1):
            _, rest = self.split(k)
            if not rest:
                continue
            start, end = self.lines[k]
            own = self.text[start : end - len(rest)]
            # In a quote the engine counts the space after ">" as indentation.
            pad = self.depth > 0 and self.text[start - 1] == ">"
            behind = _from_column(own, indent)
            new = " " * (want + pad) + (" " * columns(behind) if self.depth else behind)
            if new != own:
                self.edit(start, end - len(rest), new)

    def math(self, i: int, at: int, indent: int) -> int:
        """Handle a formula from ``$$`` to ``$$`` with no other text in its lines."""
        end = self.lines[i][1]
        close = self.text.find("$$", at + 2, end)
        j = i
        while close < 0:
            j += 1
            if j == len(self.lines):
                return 0
            start, end = self.lines[j]
            if not self.text[start:end].strip():
                return 0
            close = self.text.find("$$", start, end)
        if self.text[close + 2 : end].strip():
            return 0  # part of a sentence, which is left to the inline scanner
        parts = [self.text[max(at + 2, a) : min(b, close)] for a, b in self.lines[i : j + 1]]
        self.out.display_math.append((at, close + 2, "\n".join(parts).strip()))
        if self.before != "first":
            self.place(i, at, indent, blank=False)
            self.before = "text" if self.stack or self.depth else "other"
        self.out.breaks += [at, close + 2]
        return j + 1

    def raw_html(self, i: int, at: int, rest: str, marked: bool) -> int:
        """Handle a comment, or an element in which nothing is Markdown."""
        if rest.startswith("<!--"):
            closing = "-->"
        else:
            tag = _RAW_OPEN.match(rest)
            if not tag:
                return 0
            closing = f"</{tag['tag'].lower()}"
        stop = self._closing(at, closing)
        if stop < 0:
            return 0
        self.out.code.append((at, stop))
        self.out.breaks += [at, stop]
        self.before = "first" if marked else "other"
        if closing == "-->" and (self.stack or self.depth) and not marked:
            self.edit(at, stop, "")  # the engine would end the list or quote at the comment
            line_end = self.text.find("\n", stop)
            if not self.text[stop : line_end if line_end >= 0 else None].strip():
                self.before = "blank"
        while i < len(self.lines) and self.lines[i][0] < stop:
            i += 1
        return i

    def _closing(self, at: int, closing: str) -> int:
        """Return the offset after the next ``closing`` in this container, or -1."""
        if closing in self.unclosed:
            return -1
        if closing == "-->":
            close = self.text.find(closing, at + 4)
            stop = close + 3 if close >= 0 else -1
        else:
            found = re.compile(rf"{closing}\s*>", re.IGNORECASE).search(self.text, at)
            stop = found.end() if found else -1
        if stop < 0:
            self.unclosed.add(closing)
        return stop if stop <= self.lines[-1][1] else -1


def _from_column(space: str, column: int) -> str:
    """Return the part of ``space`` from ``column`` on.

    A tab that begins before ``column`` and ends after it becomes blanks; other tabs stay.
    """
    at = 0
    for i, char in enumerate(space):
        if at >= column:
            return " " * (at - column) + space[i:]
        at += 4 - at % 4 if char == "\t" else 1
    return " " * max(0, at - column)
