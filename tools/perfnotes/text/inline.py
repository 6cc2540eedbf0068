"""Finds the inline parts of a Markdown text: links, citations, math, tags and code spans.

Code blocks are masked first, so nothing is found inside them. Every token carries the offsets of
its whole source. A link also carries the offsets of its destination, so an edit can replace exactly
that.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from perfnotes.text.blocks import scan_blocks
from perfnotes.text.cite import Citations
from perfnotes.text.highlighting import limit_highlighting
from perfnotes.text.limits import (
    as_source,
    escape_loose,
    excess,
    too_many_formulas,
    too_many_lines,
)
from perfnotes.text.tags import Tags
from perfnotes.text.tokens import (
    Attributes,
    Blocks,
    FootnoteMark,
    Link,
    MarkdownDocument,
    Math,
    Wiki,
)

_INTEREST = re.compile(r"[\\`<$\[@{]")
_ATTRIBUTE = r"(?:[#.][\w:.-]+|[\w:.@-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{}\"'=]+))"
_ATTRIBUTES = re.compile(rf"\{{:?[ ]*{_ATTRIBUTE}(?:[ ]+{_ATTRIBUTE})*[ ]*\}}")
_FULL_REFERENCE = re.compile(r"\[([^\[\]\n]{0,1000})\]")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|\\\n]+?)(?:\\?\|(?P<label>[^\[\]\n]+?))?\]\]")
_DEST = re.compile(
    r"\(\s*(?P<dest><[^<>\n]*>|(?:\{[{%][^{}\n]*\}+|(?!\{[{%])[^\s()\\<]|\\."
    r"|\((?:[^\s()\\]|\\.|\([^\s()]*\))*\))*)"
    r"(?P<title>\s+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'))?\s*\)"
)
_MATH = re.compile(
    r"\$(?![\s$])((?:[^$\\\n]|\\.|\n(?![ \t]*\n))*?(?:[^\s\\$]|\\.))\$(?![\d$A-Z_{])"
)
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENGINE_ESCAPES = frozenset("\\`*_{}[]()>#+-.!|~")
_DEEPEST = 4  # levels of links and pictures inside labels
# A citation has at most so many opening brackets: the engine seeks the end of each, sign by sign.
_MOST_BRACKETS = 8


class _Inline(Tags, Citations):
    def __init__(self, document: MarkdownDocument) -> None:
        super().__init__(document)
        self.definition_at = {d.start for d in document.blocks.definitions}
        self.table_starts = [a for a, _ in document.blocks.tables]
        self.loose: list[int] = []  # brackets that belong to no link
        self.next_brace = self.next_line = -1

    def run(self, at: int, end: int, in_link: int = 0) -> None:
        """Find the inline parts of a range; ``in_link`` is the number of link labels around it."""
        masked = self.masked
        while True:
            found = _INTEREST.search(masked, at, end)
            if not found:
                return
            begin, at = at, found.start()
            char = masked[at]
            if char == "\\":
                at = self.backslash(at, end)
            elif char == "`":
                at = self.code_span(at, end)
            elif char == "<":
                at = self.angle(at, end)
            elif char == "$":
                at = self.math(at, end)
            elif char == "@":
                at = self.bare(at, end, in_link)
            elif char == "{":
                at = self.brace(at, end)
            else:
                image = at > begin and masked[at - 1] == "!"
                at = self.bracket(at - 1 if image else at, end, in_link)

    def backslash(self, at: int, end: int) -> int:
        following = self.masked[at + 1 : at + 2] if at + 1 < end else ""
        if following == "\n" and self.pairs.paragraph_end(at) > at + 2:
            self.edit(at, at + 1, "  ")  # a hard line break
        elif following in _PUNCTUATION:
            self.doc.escapes.append(at)
            if following not in _ENGINE_ESCAPES:
                self.edit(at, at + 2, f"&#{ord(following)};")
            return at + 2
        return at + 1

    def code_span(self, at: int, end: int) -> int:
        stop, close = self.pairs.code_end(at)
        if not 0 < close <= end:
            return min(stop, end)
        self.doc.code.append((at, close))
        if self.table_starts and "\\|" in self.masked[at:close]:
            i = bisect_right(self.table_starts, at) - 1
            if i >= 0 and at < self.doc.blocks.tables[i][1]:
                bar = self.masked.find("\\|", at, close)
                while bar >= 0:  # the engine would show the backslash of "\|" in code
                    self.edit(bar, bar + 1, "")
                    bar = self.masked.find("\\|", bar + 2, close)
        return close

    def brace(self, at: int, end: int) -> int:
        """Find an attribute list. Escape any other brace that the engine could take for one."""
        masked = self.masked
        found = _ATTRIBUTES.match(masked, at, end)
        if found:
            self.doc.attributes.append(Attributes(at, found.end()))
            return found.end()
        if self.next_brace < at:
            self.next_brace = _found_or_end(masked, "}", at)
        if self.next_line < at:
            self.next_line = _found_or_end(masked, "\n", at)
        if self.next_brace < self.next_line:
            self.edit(at, at + 1, "&#123;")
        return at + 1

    def math(self, at: int, end: int) -> int:
        masked = self.masked
        if masked.startswith("$$", at):
            close = masked.find("$$", at + 2, min(end, self.pairs.paragraph_end(at)))
            if close > at + 2:
                tex = self.doc.text[at + 2 : close].strip()
                self.doc.maths.append(Math(at, close + 2, tex, True))
                return close + 2
            return at + 2
        found = _MATH.match(masked, at, min(end, self.pairs.paragraph_end(at)))
        if not found:
            return at + 1
        self.doc.maths.append(Math(at, found.end(), found[1], False))
        return found.end()

    def bracket(self, at: int, end: int, in_link: int) -> int:
        """Read what begins with the ``[`` or ``![`` at ``at``; return the offset to go on from.

        This is a wiki link, a link or picture, a citation or the mark of a footnote. A bracket that
        begins none of these is loose.
        """
        masked = self.masked
        image = masked[at] == "!"
        opening = at + 1 if image else at
        if masked.startswith("[[", opening):
            wiki = _WIKI.match(masked, opening, end)
            if wiki and not in_link:
                target, label = wiki["target"].strip(), (wiki["label"] or "").strip()
                self.doc.wikis.append(Wiki(at, wiki.end(), target, label, embed=image))
                return wiki.end()
        close = self.pairs.closing(opening, end)
        if close < 0:
            self.loose.append(opening)
            return opening + 1
        if at in self.definition_at:
            return close + 1
        stop = self.inline(at, opening, close, end) or self.reference(at, opening, close, end)
        footnote = None if stop else _FOOTNOTE.match(masked, opening, end)
        if not stop and not footnote and masked.startswith("(", close + 1):
            # The engine would make a link of it, a code host would not.
            self.edit(opening, opening + 1, "&#91;")
        if stop:
            if in_link < _DEEPEST:
                self.run(opening + 1, close, in_link + 1)
            else:
                self.loose += [i for i in range(opening + 1, close) if masked[i] == "["]
            return stop
        if not image and not in_link and "@" in masked[opening:close]:
            few = masked.count("[", opening + 1, close) <= _MOST_BRACKETS
            group = self.citation(opening, close) if few else None
            if group:
                self.doc.citations.append(group)
                return close + 1
        if footnote:
            stop = footnote.end()
            self.doc.footnotes.append(FootnoteMark(opening, stop, masked[opening + 2 : stop - 1]))
        else:
            self.loose.append(opening)
        return opening + 1

    def inline(self, at: int, opening: int, close: int, end: int) -> int:
        """Find ``[label](dest "title")``; return the offset after it, or 0 if it is no link."""
        if not self.masked.startswith("(", close + 1):
            return 0
        dest = _DEST.match(self.masked, close + 1, min(end, self.pairs.paragraph_end(at)))
        if not dest:
            return 0
        a, b = dest.span("dest")
        if self.masked[a : a + 1] == "<":
            a, b = a + 1, b - 1
        kind = "image" if opening > at else "inline"
        self.doc.links.append(
            Link(kind, at, dest.end(), opening + 1, close, self.doc.text[a:b], a, b)
        )
        return dest.end()

    def reference(self, at: int, opening: int, close: int, end: int) -> int:
        """Find ``[label][name]``, ``[name][]`` or ``[name]``.

        Returns the offset after it, or 0 if no link definition has that name.
        """
        if not self.labels or close - opening > 1000:
            return 0
        masked = self.masked
        label, stop = masked[opening + 1 : close], close + 1
        full = _FULL_REFERENCE.match(masked, close + 1, end)
        if full and (full[1].strip() or label):
            wanted = full[1].strip() or label
            if " ".join(wanted.split()).lower() in self.labels:
                label, stop = wanted, full.end()
        name = " ".join(label.split()).lower()
        if name not in self.labels:
            return 0
        kind = "image-reference" if opening > at else "reference"
        self.doc.links.append(Link(kind, at, stop, opening + 1, close, name, close, close))
        return stop


def _found_or_end(text: str, sign: str, at: int) -> int:
    """Return the offset of the next ``sign``, or the length of the text if there is none."""
    found = text.find(sign, at)
    return found if found >= 0 else len(text)


def scan(text: str, start: int = 0) -> MarkdownDocument:
    """Find the blocks and inline parts of ``text`` from the offset ``start`` on.

    ``start`` is where the front matter ends. If the text is too much for the site's engine, all of
    it is returned as code, and ``MarkdownDocument.excess`` says why.
    """
    lines = too_many_lines(text, start)
    if lines:
        return as_source(MarkdownDocument(text, start, Blocks()), lines)
    blocks = scan_blocks(text, start)
    document = MarkdownDocument(text, start, blocks)
    inline = _Inline(document)
    found = excess(document, inline.masked, inline.pairs)
    if found:
        return as_source(document, found)
    inline.run(start, len(text))
    escape_loose(document, inline.pairs, inline.loose)
    document.code = sorted(document.code + blocks.code)
    document.maths += [Math(a, b, tex, True) for a, b, tex in blocks.display_math]
    document.maths.sort(key=lambda m: m.start)
    limit_highlighting(document)
    formulas = too_many_formulas(document, inline.pairs)
    return as_source(document, formulas) if formulas else document
