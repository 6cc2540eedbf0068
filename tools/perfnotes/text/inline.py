"""The inline parts of a Markdown text: links, citations, math, tags and code spans, with places.

Code is masked first, so nothing in it is ever seen. Every token carries the offsets of its whole
source, and a link those of its destination, so that an edit replaces exactly that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from perfnotes.text.blocks import Blocks, scan_blocks

KEY = r"[A-Za-z0-9_](?:[A-Za-z0-9_]|[:.#$%&+?<>~/-](?=[A-Za-z0-9_]))*"
_INTEREST = re.compile(r"[\\`<$\[@]|!\[")
_BLANK = re.compile(r"\n[ \t>]*\n")
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s+[^<>]*?|\s*/?|/[^<>]*)?>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_AUTO = re.compile(r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*)>")
_MAIL = re.compile(r"<[^<>@\s\"'=]+@[^<>\s\"'=]+>")
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|\\\n]+?)(?:\\?\|(?P<label>[^\[\]\n]+?))?\]\]")
_CITE_ITEM = re.compile(rf"(?P<suppress>-?)@(?:\{{(?P<braced>[^{{}}\s]+)\}}|(?P<key>{KEY}))")
_BARE = re.compile(rf"@(?P<key>{KEY})")
_BARE_LOCATOR = re.compile(r"[ \n]\[(?P<locator>[^\[\]@\n]{1,60})\](?![(\[:])")
_DEST = re.compile(
    r"\(\s*(?P<dest><[^<>\n]*>|(?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]*\))*\))*)"
    r"(?P<title>\s+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'))?\s*\)"
)
_MATH = re.compile(r"\$(?![\s$])((?:[^$\\\n]|\\.|\n(?![ \t]*\n))*?[^\s\\$]|[^\s\\$])\$(?![\d$])")
_HTML_CODE = re.compile(r"<(code|pre|script|style|kbd|samp)\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """``[label](dest)``, an image, a reference link or an autolink, by ``kind``.

    kind: ``inline``, ``image``, ``reference``, ``image-reference`` or ``auto``.
    """

    kind: str
    start: int
    end: int
    label_start: int
    label_end: int
    dest: str
    dest_start: int
    dest_end: int


@dataclass(frozen=True, slots=True)
class Wiki:
    """``[[target]]`` or ``[[target|label]]``."""

    start: int
    end: int
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class CiteItem:
    key: str
    key_start: int
    prefix: str
    locator: str
    suppress_author: bool


@dataclass(frozen=True, slots=True)
class Citation:
    """A bracketed group of citations, or a narrative one (``@key`` in running text)."""

    start: int
    end: int
    items: tuple[CiteItem, ...]
    narrative: bool


@dataclass(frozen=True, slots=True)
class Math:
    start: int
    end: int
    tex: str
    display: bool


@dataclass(frozen=True, slots=True)
class Tag:
    """A raw HTML tag; ``name`` in lower case, with a leading slash for an end tag."""

    start: int
    end: int
    name: str


@dataclass
class Document:
    """All that the text holds, offsets into ``text``; prose begins at ``start``."""

    text: str
    start: int
    blocks: Blocks
    links: list[Link] = field(default_factory=list)
    wikis: list[Wiki] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    maths: list[Math] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)  # spans and blocks
    escapes: list[int] = field(default_factory=list)


class _Inline:
    def __init__(self, document: Document) -> None:
        self.doc = document
        masked = document.text
        cut = sorted(document.blocks.code + [(a, b) for a, b, _ in document.blocks.display_math])
        self.masked = _blank_out(masked, cut) if cut else masked
        self.labels = {d.label for d in document.blocks.definitions}
        self.definition_at = {d.start for d in document.blocks.definitions}

    def run(self, at: int, end: int, in_link: bool = False) -> None:
        masked, doc = self.masked, self.doc
        while True:
            found = _INTEREST.search(masked, at, end)
            if not found:
                return
            at = found.start()
            char = masked[at]
            if char == "\\":
                if at + 1 < end and masked[at + 1] in "\\`*_{}[]()>#+-.!|$@<~":
                    doc.escapes.append(at)
                    at += 1
                at += 1
            elif char == "`":
                at = self.code_span(at, end)
            elif char == "<":
                at = self.angle(at, end)
            elif char == "$":
                at = self.math(at, end)
            elif char == "@":
                at = self.bare(at, end, in_link)
            else:
                at = self.bracket(at, end, in_link)

    def code_span(self, at: int, end: int) -> int:
        masked = self.masked
        stop = at
        while stop < end and masked[stop] == "`":
            stop += 1
        ticks = masked[at:stop]
        look = stop
        while True:
            close = masked.find(ticks, look, end)
            if close < 0:
                return stop
            after = close + len(ticks)
            if masked[close - 1] != "`" and (after >= end or masked[after] != "`"):
                break
            while after < end and masked[after] == "`":
                after += 1
            look = after
        if _BLANK.search(masked, stop, close):
            return stop
        self.doc.code.append((at, close + len(ticks)))
        return close + len(ticks)

    def angle(self, at: int, end: int) -> int:
        masked = self.masked
        auto = _AUTO.match(masked, at, end)
        if auto:
            a, b = auto.span("url")
            self.doc.links.append(
                Link("auto", at, auto.end(), a, b, self.doc.text[a:b], a, b)
            )
            return auto.end()
        mail = _MAIL.match(masked, at, end)
        if mail:
            a, b = at + 1, mail.end() - 1
            dest = "mailto:" + self.doc.text[a:b]
            self.doc.links.append(Link("auto", at, mail.end(), a, b, dest, a, b))
            return mail.end()
        comment = _COMMENT.match(masked, at, end)
        if comment:
            self.doc.code.append(comment.span())
            return comment.end()
        tag = _TAG.match(masked, at, end)
        if not tag:
            return at + 1
        name = re.match(r"</?[A-Za-z][\w:-]*", tag[0])
        assert name
        self.doc.tags.append(Tag(at, tag.end(), name[0][1:].lower()))
        verbatim = _HTML_CODE.match(tag[0])
        if verbatim:
            close = re.compile(rf"</{verbatim[1]}\s*>", re.IGNORECASE).search(masked, tag.end(), end)
            if close:
                self.doc.code.append((tag.end(), close.start()))
                return close.start()
        return tag.end()

    def math(self, at: int, end: int) -> int:
        if self.masked.startswith("$$", at):
            close = self.masked.find("$$", at + 2, end)
            if close > at + 2 and not _BLANK.search(self.masked, at, close):
                tex = self.doc.text[at + 2 : close].strip()
                self.doc.maths.append(Math(at, close + 2, tex, True))
                return close + 2
            return at + 2
        found = _MATH.match(self.masked, at, end)
        if not found:
            return at + 1
        self.doc.maths.append(Math(at, found.end(), found[1], False))
        return found.end()

    def bare(self, at: int, end: int, in_link: bool) -> int:
        found = _BARE.match(self.masked, at, end)
        if not found:
            return at + 1
        before = self.masked[at - 1] if at else " "
        if in_link or before.isalnum() and before.isascii() or before in "_./@-+=:&%":
            return found.end()
        key = found["key"]
        stop = found.end()
        locator = ""
        extra = _BARE_LOCATOR.match(self.masked, stop, end)
        if extra and extra["locator"].strip().lower() not in self.labels:
            locator = " ".join(extra["locator"].split())
        item = CiteItem(key, found.start("key"), "", locator, False)
        stop_all = extra.end() if extra and locator else stop
        self.doc.citations.append(Citation(at, stop_all, (item,), True))
        return stop_all

    def bracket(self, at: int, end: int, in_link: bool) -> int:
        masked = self.masked
        image = masked[at] == "!"
        opening = at + 1 if image else at
        if not image and masked.startswith("[[", at):
            wiki = _WIKI.match(masked, at, end)
            if wiki and not in_link:
                label = wiki["label"] or ""
                self.doc.wikis.append(Wiki(at, wiki.end(), wiki["target"].strip(), label.strip()))
                return wiki.end()
        close = self.matching(opening, end)
        if close < 0:
            return opening + 1
        if at in self.definition_at:
            return close + 1
        dest = _DEST.match(masked, close + 1, end) if masked[close + 1 : close + 2] == "(" else None
        if dest and not _BLANK.search(masked, at, dest.end()):
            a, b = dest.span("dest")
            if masked[a : a + 1] == "<":
                a, b = a + 1, b - 1
            kind = "image" if image else "inline"
            self.doc.links.append(
                Link(kind, at, dest.end(), opening + 1, close, self.doc.text[a:b], a, b)
            )
            self.run(opening + 1, close, in_link=True)
            return dest.end()
        stop = self.reference(at, opening, close, end, image)
        if stop:
            return stop
        if not image and not in_link and "@" in masked[opening:close]:
            group = self.citation(opening, close)
            if group:
                self.doc.citations.append(group)
                return close + 1
        return opening + 1

    def reference(self, at: int, opening: int, close: int, end: int, image: bool) -> int:
        if not self.labels:
            return 0
        masked = self.masked
        label, stop = masked[opening + 1 : close], close + 1
        full = re.compile(r"[ ]?\n?\[([^\[\]\n]*)\]").match(masked, close + 1, end)
        if full and (full[1].strip() or label):
            wanted = full[1].strip() or label
            if " ".join(wanted.split()).lower() in self.labels:
                label, stop = wanted, full.end()
        name = " ".join(label.split()).lower()
        if name not in self.labels:
            return 0
        kind = "image-reference" if image else "reference"
        self.doc.links.append(
            Link(kind, at, stop, opening + 1, close, name, close, close)
        )
        self.run(opening + 1, close, in_link=True)
        return stop

    def matching(self, opening: int, end: int) -> int:
        """The offset of the ``]`` that closes the ``[`` at ``opening``, or -1."""
        masked, depth, at = self.masked, 0, opening
        limit = min(end, opening + 3000)
        while at < limit:
            char = masked[at]
            if char == "\\":
                at += 2
                continue
            if char == "`":
                at = _skip_code(masked, at, limit)
                continue
            if char == "\n" and _BLANK.match(masked, at):
                return -1
            if char == "[":
                depth += 1
            elif char == "]":
                depth -= 1
                if depth == 0:
                    return at
            at += 1
        return -1

    def citation(self, opening: int, close: int) -> Citation | None:
        items: list[CiteItem] = []
        at = opening + 1
        for part in self.masked[at:close].split(";"):
            found = _CITE_ITEM.search(part)
            if not found:
                return None
            before = part[: found.start()]
            if before and not before[-1].isspace():
                return None  # me@host
            key = found["key"] or found["braced"]
            offset = at + (found.start("key") if found["key"] else found.start("braced"))
            locator = " ".join(part[found.end() :].lstrip(" ,\n").split())
            prefix = " ".join(before.split())
            items.append(CiteItem(key, offset, prefix, locator, bool(found["suppress"])))
            at += len(part) + 1
        return Citation(opening, close + 1, tuple(items), False)


def _skip_code(masked: str, at: int, limit: int) -> int:
    stop = at
    while stop < limit and masked[stop] == "`":
        stop += 1
    close = masked.find(masked[at:stop], stop, limit)
    return close + (stop - at) if close >= 0 else stop


def _blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        if start < at:
            start = at
        if end <= start:
            continue
        parts.append(text[at:start])
        parts.append(_NOT_NEWLINE.sub(_spaces, text[start:end]))
        at = end
    parts.append(text[at:])
    return "".join(parts)


_NOT_NEWLINE = re.compile(r"[^\n]+")


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])


def scan(text: str, start: int = 0) -> Document:
    """Find everything in ``text`` from the offset ``start`` (the end of the front matter) on."""
    blocks = scan_blocks(text, start)
    document = Document(text, start, blocks)
    inline = _Inline(document)
    inline.run(start, len(text))
    document.code = sorted(document.code + blocks.code)
    document.maths += [Math(a, b, tex, True) for a, b, tex in blocks.display_math]
    document.maths.sort(key=lambda m: m.start)
    return document
