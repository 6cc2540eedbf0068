"""The blocks of a Markdown text: headings, fences, code, math, comments, and list nesting.

The scanner follows CommonMark's idea of lists and code, because that is how a note reads on a
code host. Where Python-Markdown, the site's engine, reads the same text differently (nesting by
four columns, a blank line before a list, ``#include`` at a line's start), the scanner emits the
edits that make both agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FENCE = re.compile(r"(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ ]+)*)(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
_HEADING = re.compile(r"(?P<lead>(?:[ >]|[-*+] |\d+[.)] )*)(?P<hashes>#{1,6})(?:[ \t]+(?P<text>.*?))?[ \t]*$")
_SETEXT = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*$")
_MARKER = re.compile(r"(?P<indent>[ \t]*)(?P<marker>[-*+]|(?P<number>\d{1,9})[.)])(?P<space>[ \t]+|$)")
_RULE = re.compile(r"[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_CONTAINER = re.compile(r"[ ]*(?:(?:!!!|\?\?\?\+?|===[!+]{0,2})[ ]|\[\^[^\]\s]+\]:|:[ ]{1,3}(?=\S))")
_ATTRIBUTES = re.compile(r"[ \t]+\{:?[ \t]*(?P<body>[^{}\n]*?)[ \t]*\}$")
_RAW_OPEN = re.compile(r"[ ]{0,3}<(?P<tag>pre|script|style|textarea)\b", re.IGNORECASE)
_GOOD_INFO = re.compile(r"[ \t]*(?:\{[^\n]*\}|\.?[\w#.+-]*(?:[ \t]+\w+=(?:\"[^\"]*\"|'[^']*'))*)[ \t]*$")
_INFO_WORD = re.compile(r"\{?[ \t]*\.?([\w#.+-]+)")
_DEFINITION = re.compile(
    r"[ ]{0,3}\[(?![\^@])(?P<label>[^\[\]\n]+)\]:[ \t]*(?P<dest><[^<>\n]*>|\S+)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$"
)


@dataclass(frozen=True, slots=True)
class Heading:
    """``start``..``end`` is the whole source; ``text_start`` is where its words begin."""

    level: int
    start: int
    end: int
    text: str
    text_start: int
    lead: str
    explicit_id: str
    attributes: str


@dataclass(frozen=True, slots=True)
class Fence:
    start: int
    end: int
    language: str
    info_start: int
    info_end: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Definition:
    """A link definition, ``[label]: destination``."""

    label: str
    start: int
    dest_start: int
    dest_end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``start``..``end`` by ``new``."""

    start: int
    end: int
    new: str


@dataclass
class Blocks:
    """What the scanner found, offsets into the text it was given."""

    headings: list[Heading] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    display_math: list[tuple[int, int, str]] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)  # never touched
    breaks: list[int] = field(default_factory=list)  # where a paragraph or item begins or ends
    edits: list[Edit] = field(default_factory=list)


@dataclass(slots=True)
class _Item:
    marker_indent: int
    content_indent: int


class _Scanner:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.out = Blocks()
        self.lines: list[tuple[int, int]] = []
        at = start
        while at <= len(text):
            newline = text.find("\n", at)
            end = len(text) if newline < 0 else newline
            self.lines.append((at, end))
            if newline < 0:
                break
            at = newline + 1
        self.stack: list[_Item] = []
        self.after_blank = True
        self.after_code = False
        self.after_text = False  # the line before is paragraph text at the top level
        self.quote_code = False

    def run(self) -> Blocks:
        i = 0
        while i < len(self.lines):
            i = self.line(i)
        return self.out

    def line(self, i: int) -> int:
        """Handle line ``i`` and return the next line to handle."""
        start, end = self.lines[i]
        raw = self.text[start:end]
        stripped = raw.lstrip(" \t")
        if not stripped:
            self.out.breaks.append(start)
            self.after_blank, self.after_text = True, False
            return i + 1
        indent = _columns(raw[: len(raw) - len(stripped)])
        first = stripped[0]
        marker = _MARKER.match(raw) if first in "-*+0123456789" else None
        if marker and _RULE.match(raw):
            marker = None
        self._leave(indent, marker is not None or first in "#>`~<" or stripped.startswith("$$"))
        base = self.stack[-1].content_indent if self.stack else 0
        relative = indent - base
        if relative >= 4 and (self.after_blank or self.after_code):
            return self._indented_code(i, start, end, raw, stripped, indent, relative)
        self.after_code = False
        if first in "`~" or "```" in stripped or "~~~" in stripped:
            fence = _FENCE.match(raw)
            if fence and not (fence["fence"][0] == "`" and "`" in fence["info"]):
                return self._fence(i, fence, indent, relative)
        if first == "<":
            skip = self._raw(i, stripped)
            if skip:
                return skip
        if stripped.startswith("$$"):
            skip = self._math(i)
            if skip:
                return skip
        if first == "[" and not self.stack:
            definition = _DEFINITION.match(raw)
            if definition:
                self.out.breaks.append(start)
                self.out.definitions.append(
                    Definition(
                        " ".join(definition["label"].split()).lower(),
                        start,
                        start + definition.start("dest"),
                        start + definition.end("dest"),
                    )
                )
                self.after_blank = self.after_text = False
                return i + 1
        heading = _HEADING.match(raw) if "#" in raw else None
        if heading and not (marker and heading["lead"].strip() == ""):
            self._heading(start, end, heading)
            self.after_blank, self.after_text = True, False
            return i + 1
        if first == "#" and not self.stack:
            at = start + len(raw) - len(stripped)
            self.out.edits.append(Edit(at, at, "\\"))
        if self._setext(i, raw, marker):
            return i + 2
        if marker:
            self._item(start, raw, marker, indent, relative)
        else:
            self._paragraph(start, raw, stripped, indent, relative)
        self.after_blank = False
        return i + 1

    def _leave(self, indent: int, starts_block: bool) -> None:
        """Leave the list items that this line does not belong to."""
        while self.stack and indent < self.stack[-1].content_indent:
            if not self.after_blank and not starts_block:
                return  # a lazy continuation line stays in its item
            if starts_block and indent > self.stack[-1].marker_indent and not self.after_blank:
                # Indented more than the marker, less than the text: still meant as content.
                if indent - self.stack[-1].marker_indent >= 2:
                    return
            self.stack.pop()

    def _indented_code(
        self, i: int, start: int, end: int, raw: str, stripped: str, indent: int, relative: int
    ) -> int:
        self.out.code.append((start, end))
        want = 4 * len(self.stack) + relative
        if want != indent:
            self.out.edits.append(Edit(start, start + len(raw) - len(stripped), " " * want))
        self.after_code, self.after_blank, self.after_text = True, False, False
        return i + 1

    def _fence(self, i: int, fence: re.Match[str], indent: int, relative: int) -> int:
        start, end = self.lines[i]
        lead, ticks = fence["lead"], fence["fence"]
        info_start, info_end = start + fence.start("info"), start + fence.end("info")
        quote = lead.count(">")
        close = re.compile(rf"[ \t>]*{re.escape(ticks[0])}{{{len(ticks)},}}[ \t]*$")
        j, closed = i + 1, False
        while j < len(self.lines):
            a, b = self.lines[j]
            candidate = self.text[a:b]
            if quote and candidate.lstrip(" ")[:1] != ">":
                break
            if close.match(candidate):
                closed = True
                break
            j += 1
        last = j if closed else min(j, len(self.lines) - 1)
        stop = self.lines[last][1] if closed else self.lines[min(j, len(self.lines)) - 1][1]
        info = fence["info"].strip()
        word = _INFO_WORD.match(info)
        language = word[1] if word else ""
        self.out.fences.append(Fence(start + len(lead), stop, language, info_start, info_end, closed))
        self.out.code.append((start + len(lead), stop))
        self.out.breaks += [start, stop]
        if not _GOOD_INFO.match(fence["info"]) or (language.startswith(".") and "{" not in info):
            self.out.edits.append(Edit(info_start, info_end, language))
        if not closed:
            self.out.edits.append(Edit(stop, stop, f"\n{lead}{ticks}"))
        want = 4 * len(self.stack)
        if lead.strip() == "" and want != indent and (self.stack or indent):
            self._shift(i, (j if closed else j - 1), indent, want)
        self.after_blank, self.after_text = False, False
        return j + 1 if closed else j

    def _shift(self, first: int, last: int, indent: int, want: int) -> None:
        """Move whole lines so that a block at column ``indent`` stands at ``want``."""
        for k in range(first, last + 1):
            a, b = self.lines[k]
            line = self.text[a:b]
            body = line.lstrip(" \t")
            if not body:
                continue
            own = _columns(line[: len(line) - len(body)])
            self.out.edits.append(
                Edit(a, a + len(line) - len(body), " " * (want + max(0, own - indent)))
            )

    def _raw(self, i: int, stripped: str) -> int:
        start = self.lines[i][0] + (self.lines[i][1] - self.lines[i][0] - len(stripped))
        if stripped.startswith("<!--"):
            close = self.text.find("-->", start + 4)
            if close < 0:
                return 0
            stop = close + 3
        else:
            tag = _RAW_OPEN.match(stripped)
            if not tag:
                return 0
            found = re.compile(rf"</{tag['tag']}\s*>", re.IGNORECASE).search(self.text, start)
            if not found:
                return 0
            stop = found.end()
        self.out.code.append((start, stop))
        self.out.breaks += [start, stop]
        self.after_blank = False
        return self._line_after(i, stop)

    def _math(self, i: int) -> int:
        start, end = self.lines[i]
        open_at = self.text.index("$$", start)
        close = self.text.find("$$", open_at + 2)
        if close < 0 or re.search(r"\n[ \t]*\n", self.text[open_at:close]):
            return 0
        rest = self.text[close + 2 : self._line_end(close)]
        if rest.strip():
            return 0  # inline display math: the inline scanner's
        self.out.display_math.append((open_at, close + 2, self.text[open_at + 2 : close].strip()))
        self.out.breaks += [start, close + 2]
        self.after_blank, self.after_text = False, False
        return self._line_after(i, close + 2)

    def _line_end(self, at: int) -> int:
        newline = self.text.find("\n", at)
        return len(self.text) if newline < 0 else newline

    def _line_after(self, i: int, offset: int) -> int:
        while i < len(self.lines) and self.lines[i][0] < offset:
            i += 1
        return i

    def _heading(self, start: int, end: int, match: re.Match[str]) -> None:
        words = re.sub(r"(?:^|[ \t]+)#+$", "", match["text"] or "")
        explicit, attributes = "", ""
        braces = _ATTRIBUTES.search(" " + words)
        if braces and re.search(r"(?:^|\s)[#.][\w-]|\w=", " " + braces["body"]):
            words = (" " + words)[: braces.start()].strip()
            parts = braces["body"].split()
            explicit = next((p[1:] for p in parts if p.startswith("#") and len(p) > 1), "")
            attributes = " ".join(p for p in parts if not p.startswith("#"))
        text_start = start + (match.start("text") if match["text"] else match.end("hashes"))
        self.out.headings.append(
            Heading(
                len(match["hashes"]), start, end, words.strip(), text_start,
                match["lead"], explicit, attributes,
            )
        )  # fmt: skip
        self.out.breaks += [start, end]
        if not match["lead"]:
            self.stack.clear()

    def _setext(self, i: int, raw: str, marker: re.Match[str] | None) -> bool:
        if marker or self.stack or not self.after_blank or i + 1 >= len(self.lines):
            return False
        a, b = self.lines[i + 1]
        line = _SETEXT.match(self.text[a:b])
        if not line or raw.lstrip()[0] in ">|" or raw.startswith("    "):
            return False
        start = self.lines[i][0]
        lead = len(raw) - len(raw.lstrip())
        self.out.headings.append(
            Heading(1 if line[1][0] == "=" else 2, start, b, raw.strip(), start + lead, "", "", "")
        )
        self.out.breaks += [start, b]
        self.after_blank, self.after_text = True, False
        return True

    def _item(
        self, start: int, raw: str, marker: re.Match[str], indent: int, relative: int
    ) -> None:
        if self.after_text and not self.stack and marker["number"] not in (None, "1"):
            return  # "2024. was a good year": CommonMark takes no list from it here
        depth = len(self.stack)
        self.out.breaks.append(start)
        if self.after_text and depth == 0:
            self.out.edits.append(Edit(start, start, "\n"))
        want = 4 * depth
        if want != indent:
            self.out.edits.append(Edit(start, start + marker.end("indent"), " " * want))
        if marker["marker"].endswith(")"):
            at = start + marker.end("marker")
            self.out.edits.append(Edit(at - 1, at, "."))
        space = len(marker["space"].expandtabs(4))
        width = len(marker["marker"]) + (space if 1 <= space <= 4 else 1)
        self.stack.append(_Item(indent, indent + width))
        self.after_text = False

    def _paragraph(self, start: int, raw: str, stripped: str, indent: int, relative: int) -> None:
        container = _CONTAINER.match(raw)
        if container:
            self.out.breaks.append(start)
            self.stack.append(_Item(indent, indent + 4))
            self.after_text = False
            return
        if stripped[0] == ">":
            body = stripped.lstrip("> ")
            if re.match(r">(?: {5,}|\t)\S", stripped) and (self.after_blank or self.quote_code):
                self.out.code.append((start, start + len(raw)))
                self.quote_code = True
            else:
                self.quote_code = body == ""
            if self.after_text and not self.stack:
                self.out.edits.append(Edit(start, start, "\n"))
            self.after_text = False
            return
        self.quote_code = False
        want = 4 * len(self.stack)
        if self.stack and self.after_blank and want != indent:
            self.out.edits.append(Edit(start, start + len(raw) - len(stripped), " " * want))
        self.after_text = not self.stack


def _columns(space: str) -> int:
    return len(space.expandtabs(4))


def scan_blocks(text: str, start: int = 0) -> Blocks:
    """Find the blocks of ``text`` from the offset ``start`` on."""
    return _Scanner(text, start).run()
