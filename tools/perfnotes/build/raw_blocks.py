"""Sets raw HTML aside as Python-Markdown does, without parsing most of it.

Python-Markdown gives every text to the HTML parser of the standard library. That took a third of
the time for our own pages, because of the tables and pictures that the build itself writes: each is
one element between blank lines. Here one regular expression for tags recognises such an element,
and a mark replaces it while the parser reads the rest. If a mark could make the parser read the
rest differently, the parser reads the whole text.
"""

from __future__ import annotations

import re
from typing import Any

_TAG = re.compile(
    r"<(?:/([a-z][a-z0-9]*)"
    r'|([a-z][a-z0-9]*)(?:[ \n]+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>`]*"'
    r"|='[^'<>`]*')?)*[ \n]*(/?))>"
)
# What else the parser reads as one tag up to the next ">": a C++ template in a span of code.
_TAG_WITHOUT_QUOTES = re.compile(r"<([a-zA-Z][^\s/<>\"'`\x02]*)[^<>\"'`\x02]*(?<!/)>")
_TAG_OF_LINE = re.compile(r"^[ \t]{0,3}<([a-zA-Z][a-zA-Z0-9]*)", re.MULTILINE)
# What the parser reads as the beginning of a tag, a comment, a declaration, an instruction or a
# reference by number, which may have no end.
_BEGINNING = re.compile(r"<[a-zA-Z/!?]|&#(?!(?:[0-9]+|[xX][0-9a-fA-F]+);)")
# A reference without its semicolon, which the parser would add, or a mark of Python-Markdown.
_REWRITTEN = re.compile(r"&(?!(?:[a-zA-Z][a-zA-Z0-9]*|#[0-9]+|#[xX][0-9a-fA-F]+);)|[\x02\x03]")
_VOID = frozenset("br col hr img input wbr".split())
# Elements whose content the parser reads by other rules, in some or all versions of Python. A title
# that holds no tag is text by all of them.
_TEXT_ONLY = "script|style|textarea|xmp|iframe|noembed|noframes|noscript|plaintext"
_HOLDS_TEXT = re.compile(rf"<(?:{_TEXT_ONLY})\b", re.IGNORECASE)
_HOLDS_TEXT_OR_TITLE = re.compile(rf"<(?:title|{_TEXT_ONLY})\b", re.IGNORECASE)
# What the parser keeps for the next raw HTML, if it follows the end of raw HTML in the same line.
_KEPT = re.compile(r"&|/>|<hr\b")
_MARK = "\x02raw{}\x03"
_MARKED = re.compile("\x02raw([0-9]+)\x03")


class QuickRawBlocks:
    """Replaces the preprocessor ``html_block`` of the converter ``md``."""

    def __init__(self, md: Any) -> None:
        self._md = md
        self._whole = md.preprocessors["html_block"]

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines with a placeholder for each piece of raw HTML."""
        blocks = "\n".join(lines).split("\n\n")
        elements: list[str] = []
        for at in range(1, len(blocks) - 1):
            block = blocks[at].lstrip("\n")
            if block.startswith("<") and self._is_element(block):
                blocks[at] = blocks[at].removesuffix(block) + _MARK.format(len(elements))
                elements.append(block)
        rest = "\n\n".join(blocks)
        if not elements or not self._is_clear(rest):
            return self._read_whole(lines)
        stash = self._md.htmlStash
        before = stash.html_counter
        read = "\n".join(self._whole.run(rest.split("\n")))
        if [*map(int, _MARKED.findall(read))] != [*range(len(elements))]:
            # A mark was inside other raw HTML.
            stash.html_counter = before
            del stash.rawHtmlBlocks[before:]
            return self._read_whole(lines)

        def placeholder(match: re.Match[str]) -> str:
            return f"\n{stash.store(elements[int(match[1])] + chr(10))}\n\n"

        return _MARKED.sub(placeholder, read).split("\n")

    def _read_whole(self, lines: list[str]) -> list[str]:
        read: list[str] = self._whole.run(lines)
        return read

    def _is_element(self, block: str) -> bool:
        """Whether a block is one element of block level that the parser would keep as it is."""
        if not block.endswith(">") or _REWRITTEN.search(block):
            return False
        opened: list[str] = []
        tags = end_of_tags = 0
        for tag in _TAG.finditer(block):
            if tags and not opened:
                return False  # a second element
            tags += 1
            end_of_tags = tag.end()
            closed, name, is_empty = tag.groups()
            if name and opened and opened[-1] == "title":
                return False
            if closed:
                if not opened or opened.pop() != closed:
                    return False
            elif not is_empty and name not in _VOID:
                opened.append(name)
            if tags == 1 and not (opened and self._md.is_block_level(name)):
                return False
        is_whole = not opened and end_of_tags == len(block) and tags == block.count("<")
        return is_whole and "markdown" not in block and not _HOLDS_TEXT.search(block)

    def _is_clear(self, text: str) -> bool:
        """Whether the parser reads the text around marks as if the elements were in their places.

        Everything that begins with ``<`` or ``&#`` must end, and the parser must keep nothing for
        later.
        """
        # "\x02" takes the place of each tag, since no tag holds it: "<a <b> c>" is no tag.
        rest = _TAG_WITHOUT_QUOTES.sub(self._shown_as_text, _TAG.sub("\x02", text))
        if _BEGINNING.search(rest) or _HOLDS_TEXT_OR_TITLE.search(text):
            return False
        # The parser keeps nothing before the first tag of block level that begins a line.
        raw = next((t for t in _TAG_OF_LINE.finditer(text) if self._md.is_block_level(t[1])), None)
        if raw is None:
            return True
        # Where ``_KEPT`` matches next and where the line ends. Both are searched once for many tags
        # of a line.
        kept = end = -1
        for tag in _TAG.finditer(text, raw.start()):
            ended = tag[1] or (tag[2] if tag[3] or tag[2] == "hr" else "")
            if ended and self._md.is_block_level(ended):
                at = tag.end()
                if kept < at:
                    found = _KEPT.search(text, at)
                    kept = found.start() if found else len(text)
                if end < at:
                    end = text.find("\n", at)
                    end = len(text) if end < 0 else end
                if kept < end:
                    return False
        return True

    def _shown_as_text(self, tag: re.Match[str]) -> str:
        """Return a space in place of a tag that the parser leaves in the text."""
        return tag[0] if self._md.is_block_level(tag[1].lower()) else " "
