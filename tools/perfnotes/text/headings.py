"""Headings: with number signs or underlined."""

from __future__ import annotations

import re

from perfnotes.text.lines import PARTED, TEXTUAL, Lines
from perfnotes.text.tokens import Heading

_SETEXT = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*$")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]++\{:?(?P<body>[^{}\n]*+)\}$")
# An attribute list in the line below a heading, as Kramdown writes it.
_ATTRIBUTES_BELOW = re.compile(r"[ ]{0,3}\{:[ ]*#([\w.:-]+)[^{}\n]*\}[ \t]*(?=\n|$)")


class Headings(Lines):
    """The part of the scanner for headings."""

    def heading(self, i: int, at: int, rest: str, indent: int, left: bool, marked: bool) -> int:
        """Handle a heading with number signs; return the next line, or 0 if it is no heading."""
        level = len(rest) - len(rest.lstrip("#"))
        words = rest[level:]
        if level > 6 or (words and words[0] not in " \t"):
            self.edit(at, at, "\\")  # "#include" is no heading
            return 0
        text_start = at + len(rest) - len(words.lstrip(" \t"))
        words = words.strip(" \t")
        unclosed = words.rstrip("#")
        if not unclosed or unclosed[-1] in " \t":
            words = unclosed.rstrip(" \t")
        explicit, attributes = "", ""
        braces = _ATTRIBUTES.search(" " + words) if words.endswith("}") else None
        if braces and re.search(r"(?:^|\s)[#.][\w-]|\w=", braces["body"]):
            words = (" " + words)[: braces.start()].strip()
            parts = braces["body"].split()
            explicit = next((p[1:] for p in parts if p.startswith("#") and len(p) > 1), "")
            attributes = " ".join(p for p in parts if not p.startswith("#"))
        if not marked:
            blank = left or self.before in PARTED or self.is_long
            self.place(i, at, indent, blank=blank)
        end, after = at + len(rest), i + 1
        below = None
        if after < len(self.lines):
            below = _ATTRIBUTES_BELOW.match(self.text, *self.lines[after])
        if below and not explicit:
            explicit, end, after = below[1], self.lines[after][1], after + 1
        self.out.headings.append(Heading(level, at, end, words, text_start, explicit, attributes))
        self.out.breaks += [at, end]
        self.before = "other"
        return after

    def setext(self, i: int, at: int, indent: int) -> bool:
        """Handle a line of text underlined with ``===`` or ``---``; return whether it is one."""
        if self.before in TEXTUAL or self.stack or i + 1 == len(self.lines):
            return False
        start, stop = self.lines[i + 1]
        if self.text[start : start + 1] not in ("=", "-", " ") or self.text[at] == "|":
            return False
        line = _SETEXT.match(self.text[start:stop])
        if not line:
            return False
        self.place(i, at, indent, blank=self.before in PARTED or self.is_long)
        words = self.text[at : self.lines[i][1]].rstrip(" \t")
        level = 1 if line[1][0] == "=" else 2
        self.out.headings.append(Heading(level, at, stop, words, at, "", ""))
        self.out.breaks += [at, stop]
        self.before = "other"
        return True
