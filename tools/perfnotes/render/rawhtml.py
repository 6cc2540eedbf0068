"""Raw HTML in notes that were never written for us: kept where it is plain, else shown as text.

The safety of a page is judged on its HTML, wherever that came from. This keeps the page readable:
an element that may be published loses the attributes that may not, and any other is shown as the
characters that it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from perfnotes.engine.safety import ATTRIBUTES, ELEMENTS
from perfnotes.link.graph import Links
from perfnotes.link.targets import Target
from perfnotes.render import markup
from perfnotes.text.inline import TAG
from perfnotes.text.tokens import Document, Tag

_NOT_KEPT = frozenset("html head body nav input label".split())
_RENAMED = {"center": "div", "tt": "code", "strike": "del", "acronym": "abbr"}
# Layout that says nothing: the tags go, what they hold stays.
_DROPPED = frozenset("font big picture source article aside header footer main wbr nobr".split())
_VOID = frozenset("br hr img col wbr source".split())
_OPTIONAL_END = frozenset("li p td th tr tbody thead tfoot dt dd colgroup".split())
_BLOCKS = frozenset("div details section blockquote table ul ol dl figure center".split())
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?")
_STOLEN = re.compile(r"__|md-|js-|pn-|mermaid$|glightbox")
_MARKDOWN_INSIDE = re.compile(r"\n[ \t>]*\n[ \t>]*[^<\s]")

Address = Callable[[Target], str | None]
Add = Callable[[int, int, str], None]
Say = Callable[[int, str], None]


@dataclass(slots=True)
class _Element:
    """A tag with what becomes of it: ``keep``, ``drop`` or ``text``."""

    tag: Tag
    fate: str
    end: Tag | None = None
    parent: _Element | None = None


class RawHtml:
    """Rewrites the tags of one text through ``add``; ``say`` tells what was left out."""

    def __init__(self, links: Links, address: Address, add: Add, say: Say) -> None:
        self._document: Document = links.text.body.document
        self._text = self._document.text
        self._targets = {k.start: (k.dest, t) for k, t in links.links if k.kind == "html"}
        self._address = address
        self._add = add
        self._say = say

    def rewrite(self) -> None:
        document = self._document
        for start, end in document.code:
            if self._text.startswith("<", start) and not self._text.startswith("<!--", start):
                self._verbatim_block(start, end)
        tags = [*document.tags]
        ends = {tag.end: tag for tag in document.tags}
        for start, end in document.code:
            tag = ends.get(start)
            if tag and tag.name in ("script", "style"):
                self._add(start, end, markup.words(self._text[start:end]))
            elif tag:
                tags += self._inside(start, end)
        tags.sort(key=lambda t: t.start)
        for element in _elements(tags):
            self._rewrite(element)

    def _inside(self, start: int, end: int) -> Iterator[Tag]:
        """The tags within a ``<pre>`` or ``<code>``; every other ``<`` there becomes text."""
        at = self._text.find("<", start, end)
        while at >= 0:
            found = TAG.match(self._text, at, end)
            if found:
                name = (found["name"] or found["closed"]).lower()
                yield Tag(at, found.end(), name if found["name"] else f"/{name}")
            elif not self._text.startswith("<!--", at):
                self._add(at, at + 1, "&lt;")
            at = self._text.find("<", found.end() if found else at + 1, end)

    def _verbatim_block(self, start: int, end: int) -> None:
        """``<pre>`` keeps what it may; a script or a style sheet is shown as its source."""
        source = self._text[start:end]
        if source[:4].lower() == "<pre":
            for element in _elements(self._inside(start, end)):
                self._rewrite(element, raw=True)
            return
        name = re.match(r"<(\w+)", source)
        self._say(start, f"the element <{name[1].lower() if name else ''}> is shown as text")
        if start and self._text[start - 1] != "\n":
            self._add(start, end, markup.words(source))
            return
        fence = "```"
        while fence in source:
            fence += "`"
        self._add(start, end, f"\n{fence}html\n{source}\n{fence}\n")

    def _rewrite(self, element: _Element, *, raw: bool = False) -> None:
        tag = element.tag
        pair = [tag, element.end] if element.end else [tag]
        if element.fate == "drop":
            for each in pair:
                self._add(each.start, each.end, "")
            return
        if element.fate == "text":
            if not tag.name.startswith("/"):
                self._say(tag.start, f"the element <{tag.name}> is shown as text")
            for each in pair:
                shown = _shown(self._text[each.start : each.end], raw)
                self._add(each.start, each.end, shown)
            return
        name = _RENAMED.get(tag.name, tag.name)
        if tag.name == "img":
            self._picture(element)
            return
        attributes = self._attributes(tag, name)
        if tag.name == "center":
            attributes = ' align="center"'
        if not raw and element.end and self._holds_markdown(element):
            attributes += ' markdown="1"'
            name = "div" if name == "p" else name
        closing = ""
        if self._text[tag.end - 2] == "/" and tag.name not in _VOID:
            closing = f"</{name}>"  # to HTML, <a id="x"/> is open
        self._add(tag.start, tag.end, f"<{name}{attributes}>{closing}")
        if element.end and name != tag.name:
            self._add(element.end.start, element.end.end, f"</{name}>")

    def _holds_markdown(self, element: _Element) -> bool:
        """Whether a code host reads Markdown in this block, which the engine has to be told."""
        if element.tag.name not in _BLOCKS and element.tag.name != "p":
            return False
        outer = element.parent
        while outer:
            if outer.fate == "keep" and outer.tag.name in _BLOCKS:
                return False  # told there, if anywhere
            outer = outer.parent
        line = self._text.rfind("\n", 0, element.tag.start) + 1
        if self._text[line : element.tag.start].strip(" ") or not element.end:
            return False
        return bool(_MARKDOWN_INSIDE.search(self._text, element.tag.end, element.end.start))

    def _attributes(self, tag: Tag, name: str) -> str:
        allowed = ATTRIBUTES[name]
        kept = []
        for key, value in _parsed(self._text[tag.start : tag.end]):
            if key in ("href", "src", "cite"):
                value = self._destination(tag) if key == "href" else ""
                if value:
                    kept.append((key, value))
            elif key not in allowed or (key in ("id", "class", "name") and _STOLEN.match(value)):
                if key.startswith("on"):
                    self._say(tag.start, f"the attribute {key!r} of <{tag.name}> is left out")
            elif key != "style":
                kept.append((key, value))
        return "".join(f' {key}="{markup.attribute(value)}"' for key, value in kept)

    def _destination(self, tag: Tag) -> str:
        dest, target = self._targets.get(tag.start, ("", Target("none")))
        if target.kind in ("none", "evidence"):
            return ""
        return (self._address(target) if target.kind != "url" else html.unescape(dest)) or ""

    def _picture(self, element: _Element) -> None:
        tag = element.tag
        attributes = dict(_parsed(self._text[tag.start : tag.end]))
        alt = attributes.get("alt", "").strip()
        dest, target = self._targets.get(tag.start, ("", Target("none")))
        if target.kind == "file":
            attributes["src"] = self._destination(tag)
            kept = [(k, v) for k, v in attributes.items() if k in ATTRIBUTES["img"]]
            written = "".join(f' {k}="{markup.attribute(v)}"' for k, v in kept if k != "style")
            self._add(tag.start, tag.end, f"<img{written}>")
        elif target.kind == "url":
            self._say(tag.start, "a picture from another host is shown as a link")
            shown = markup.words(alt or html.unescape(dest))
            linked = any(e.tag.name == "a" for e in _ancestors(element))
            address = html.unescape(dest)
            self._add(tag.start, tag.end, shown if linked else markup.anchor(address, shown))
        else:
            self._add(tag.start, tag.end, markup.words(alt))


def _elements(tags: Iterable[Tag]) -> list[_Element]:
    """Tags paired, with what becomes of each."""
    elements: list[_Element] = []
    opened: list[_Element] = []
    names: dict[str, int] = {}
    for tag in tags:
        if not tag.name.startswith("/"):
            element = _Element(tag, _fate(tag.name), parent=opened[-1] if opened else None)
            elements.append(element)
            if tag.name not in _VOID:
                opened.append(element)
                names[tag.name] = names.get(tag.name, 0) + 1
            continue
        name = tag.name[1:]
        if not names.get(name):
            fate = "drop" if name in ("p", "br") or name in _DROPPED else "text"
            elements.append(_Element(tag, fate))
            continue
        while opened:
            element = opened.pop()
            names[element.tag.name] -= 1
            if element.tag.name == name:
                element.end = tag
                break
    for element in elements:
        _settle(element)
    return elements


def _fate(name: str) -> str:
    if name in _DROPPED:
        return "drop"
    name = _RENAMED.get(name, name)
    return "keep" if name in ELEMENTS and name not in _NOT_KEPT else "text"


def _settle(element: _Element) -> None:
    """An element that is never closed would take in the rest of the page."""
    name = element.tag.name
    if element.fate != "keep" or element.end or name in _VOID or name.startswith("/"):
        return
    if name == "p":
        element.fate = "drop"
    elif name == "a":
        return  # an anchor, <a name="x">: the engine closes it
    elif name not in _OPTIONAL_END or not any(e.end for e in _ancestors(element)):
        element.fate = "text"


def _ancestors(element: _Element) -> Iterator[_Element]:
    outer = element.parent
    for _ in range(40):
        if outer is None:
            return
        yield outer
        outer = outer.parent


def _parsed(tag: str) -> Iterator[tuple[str, str]]:
    """The attributes of a tag, names in lower case, values as what they mean."""
    inside = re.sub(r"^<[A-Za-z][A-Za-z0-9-]*|/?>$", "", tag)
    for key, value in _ATTRIBUTE.findall(inside):
        yield key.lower(), html.unescape(value.strip("\"'") if value[:1] in "\"'" else value)


def _shown(tag: str, raw: bool) -> str:
    return markup.escape(tag) if raw else markup.literal(tag)
