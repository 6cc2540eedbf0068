"""The inline parts of a Markdown text: links, citations, math, tags and code spans, with places.

Code is masked first, so nothing in it is ever seen. Every token carries the offsets of its whole
source, and a link those of its destination, so that an edit replaces exactly that.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from perfnotes.text.blocks import scan_blocks
from perfnotes.text.pairs import Pairs
from perfnotes.text.tokens import (
    Attributes,
    Citation,
    CiteItem,
    Document,
    Edit,
    Link,
    Math,
    Tag,
    Wiki,
)

__all__ = ["Citation", "CiteItem", "Document", "Link", "Math", "Tag", "Wiki", "scan"]

KEY = r"[A-Za-z0-9_](?:[A-Za-z0-9_]|[:.#$%&+?<>~/-](?=[A-Za-z0-9_]))*"
_INTEREST = re.compile(r"[\\`<$\[@{]")
_VALUE = r"(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\")"
TAG = re.compile(
    rf"<(?:/(?P<closed>[A-Za-z][A-Za-z0-9-]*)\s*"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9-]*)(?:\s+[A-Za-z_:@][\w.:@-]*(?:\s*=\s*{_VALUE})?)*\s*/?)>"
)
_TAG_ADDRESS = re.compile(
    r"\s(?P<name>href|src)\s*=\s*(?P<quote>[\"']?)(?P<url>(?<=\")[^\"]*|(?<=')[^']*|[^\s\"'=<>`]+)",
    re.IGNORECASE,
)
_ATTRIBUTE = r"(?:[#.][\w:.-]+|[\w:.@-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{}\"'=]+))"
_ATTRIBUTES = re.compile(rf"\{{:?[ ]*{_ATTRIBUTE}(?:[ ]+{_ATTRIBUTE})*[ ]*\}}")
_FULL_REFERENCE = re.compile(r"[ ]?\n?\[([^\[\]\n]{0,1000})\]")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
_AUTO = re.compile(r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*)>")
_MAIL = re.compile(r"<[^<>@\s\"'=]+@[^<>\s\"'=]+>")
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|\\\n]+?)(?:\\?\|(?P<label>[^\[\]\n]+?))?\]\]")
_CITE_ITEM = re.compile(rf"(?P<suppress>-?)@(?:\{{(?P<braced>[^{{}}\s]+)\}}|(?P<key>{KEY}))")
_BARE = re.compile(rf"@(?P<key>{KEY})")
_BARE_LOCATOR = re.compile(r"[ \n]\[(?P<locator>[^\[\]@\n]{1,60})\](?![(\[:])")
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
_SIGN = re.compile(r"[\\`*_<\[&$~{]")
_MANY = 3000  # fences
_LONG = 20_000  # characters of a paragraph
_DENSE = 500_000_000  # characters times signs
_LOOSE = 50  # brackets that belong to no link; with many of them the engine gets slow
_DEEPEST = 4  # links and pictures in labels


class _Inline:
    def __init__(self, document: Document) -> None:
        self.doc = document
        blocks = document.blocks
        masked = document.text
        cut = sorted(blocks.code + [(a, b) for a, b, _ in blocks.display_math])
        self.masked = _blank_out(masked, cut) if cut else masked
        self.labels = {d.label for d in blocks.definitions}
        self.definition_at = {d.start for d in blocks.definitions}
        self.pairs = Pairs(self.masked, blocks.breaks)
        self.unclosed: set[str] = set()
        self.table_starts = [a for a, _ in blocks.tables]
        self.loose: list[int] = []
        self.next_brace = self.next_line = -1

    def edit(self, start: int, end: int, new: str) -> None:
        self.doc.edits.append(Edit(start, end, new))

    def run(self, at: int, end: int, in_link: int = 0) -> None:
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
                while bar >= 0:  # the table's escape, which the engine leaves in code
                    self.edit(bar, bar + 1, "")
                    bar = self.masked.find("\\|", bar + 2, close)
        return close

    def brace(self, at: int, end: int) -> int:
        """An attribute list; any other brace is kept from being taken for one."""
        masked = self.masked
        found = _ATTRIBUTES.match(masked, at, end)
        if found:
            self.doc.attributes.append(Attributes(at, found.end()))
            return found.end()
        if self.next_brace < at:
            self.next_brace = masked.find("}", at) % (len(masked) + 1)
        if self.next_line < at:
            self.next_line = masked.find("\n", at) % (len(masked) + 1)
        if self.next_brace < self.next_line:
            self.edit(at, at + 1, "&#123;")
        return at + 1

    def angle(self, at: int, end: int) -> int:
        masked, doc = self.masked, self.doc
        auto = _AUTO.match(masked, at, end)
        if auto:
            a, b = auto.span("url")
            doc.links.append(Link("auto", at, auto.end(), a, b, doc.text[a:b], a, b))
            return auto.end()
        mail = _MAIL.match(masked, at, end)
        if mail:
            a, b = at + 1, mail.end() - 1
            dest = "mailto:" + doc.text[a:b]
            doc.links.append(Link("auto", at, mail.end(), a, b, dest, a, b))
            return mail.end()
        if masked.startswith("<!--", at):
            close = self.closing("-->", at + 4)
            if close >= 0:
                doc.code.append((at, close + 3))
                return close + 3
        tag = TAG.match(masked, at, min(end, self.pairs.paragraph_end(at)))
        if tag:
            return self.tag(tag)
        following = masked[at + 1 : at + 2]
        if following.isascii() and (following.isalpha() or following in ("/", "!", "?")):
            self.edit(at, at + 1, "&lt;")  # no tag to a code host, but one to the engine
        return at + 1

    def tag(self, tag: re.Match[str]) -> int:
        at, stop = tag.span()
        name = (tag["name"] or tag["closed"]).lower()
        self.doc.tags.append(Tag(at, stop, name if tag["name"] else f"/{name}"))
        if not tag["name"]:
            return stop
        if name in ("a", "img"):
            wanted = "href" if name == "a" else "src"
            for address in _TAG_ADDRESS.finditer(tag[0]):
                if address["name"].lower() == wanted:
                    a, b = (at + each for each in address.span("url"))
                    self.doc.links.append(Link("html", at, stop, at, at, self.doc.text[a:b], a, b))
                    break
        if name in ("code", "pre", "script", "style", "kbd", "samp") and tag[0][-2] != "/":
            close = self.closing(f"</{name}", stop)
            if close >= 0:
                self.doc.code.append((stop, close))
                return close
        return stop

    def closing(self, what: str, at: int) -> int:
        """Where ``what`` stands next, in any case, or -1."""
        if what in self.unclosed:
            return -1
        found = re.compile(re.escape(what), re.IGNORECASE).search(self.masked, at)
        if not found:
            self.unclosed.add(what)
            return -1
        return found.start()

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

    def bare(self, at: int, end: int, in_link: int) -> int:
        found = _BARE.match(self.masked, at, end)
        if not found:
            return at + 1
        before = self.masked[at - 1] if at else " "
        word = before.isalnum() and before.isascii()
        if in_link or word or before in "_./@-+=:&%":
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

    def bracket(self, at: int, end: int, in_link: int) -> int:
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
        if not stop and masked.startswith("(", close + 1):
            self.edit(opening, opening + 1, "&#91;")  # a link to the engine, to no code host
        if stop:
            if in_link < _DEEPEST:
                self.run(opening + 1, close, in_link + 1)
            else:
                self.loose += [i for i in range(opening + 1, close) if masked[i] == "["]
            return stop
        if not image and not in_link and "@" in masked[opening:close]:
            group = self.citation(opening, close)
            if group:
                self.doc.citations.append(group)
                return close + 1
        if not _FOOTNOTE.match(masked, opening, end):
            self.loose.append(opening)
        return opening + 1

    def inline(self, at: int, opening: int, close: int, end: int) -> int:
        """``[label](dest "title")``; 0 where it is none."""
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
        """``[label][name]``, ``[name][]`` or ``[name]``; 0 where nothing is defined so."""
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

    def escape_loose(self) -> None:
        """Keep the engine from looking for the end of brackets that have none."""
        if len(self.loose) <= _LOOSE:
            return
        by_paragraph: dict[int, list[int]] = {}
        for at in self.loose:
            by_paragraph.setdefault(self.pairs.paragraph_end(at), []).append(at)
        for group in by_paragraph.values():
            if len(group) > _LOOSE:
                for at in group:
                    self.edit(at, at + 1, "&#91;")

    def densest(self) -> int:
        """Where the engine would be lost, which is quadratic in fences and a paragraph's signs."""
        start, fences = self.doc.start, self.doc.blocks.fences
        if len(fences) > _MANY:
            return fences[_MANY].start
        for end in self.pairs.breaks:
            if end - start > _LONG:
                signs = len(_SIGN.findall(self.masked, start, end))
                if signs * (end - start) > _DENSE:
                    return start
            start = end
        return -1


def _blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for begin, end in spans:
        start = max(begin, at)
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
    inline.escape_loose()
    document.dense = inline.densest()
    document.code = sorted(document.code + blocks.code)
    document.maths += [Math(a, b, tex, True) for a, b, tex in blocks.display_math]
    document.maths.sort(key=lambda m: m.start)
    return document
