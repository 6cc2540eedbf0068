"""Edits raw HTML and pictures of other hosts in notes of a foreign folder.

This is not what makes a page safe: ``safety`` judges the HTML of every page. This module keeps such
pages readable. An element that may be published loses the attributes that may not. Any other
element is shown as text. A picture that a browser would load from another host becomes a link.
"""

from __future__ import annotations

import html
import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable
from urllib.parse import urlsplit

from perfnotes.graph.links import Links
from perfnotes.graph.targets import NONE, Target
from perfnotes.site.render import markup
from perfnotes.site.safety import ATTRIBUTES
from perfnotes.text.elements import VOID, RawElement, attributes_of, elements_of, tags_within
from perfnotes.text.highlighting import HighlightBudget
from perfnotes.text.tokens import Attributes, HtmlTag, Link

_RENAMED = {"center": "div", "tt": "code", "strike": "del", "acronym": "abbr"}
_BLOCKS = frozenset("div details section blockquote table ul ol dl figure center p".split())
# Ids and classes that the theme uses.
_OF_THEME = re.compile(r"__|md-|js-|pn-|mermaid$|glightbox")
_MARKDOWN_INSIDE = re.compile(r"\n[ \t>]*\n[ \t>]*[^<\s]")
# An entry of an attribute list. The last branch takes a word that is no attribute as a whole:
# letter by letter would take long.
_LIST_ITEM = re.compile(
    r"([#.])([\w:.-]++)|([\w:.@-]++)=(\"[^\"]*\"|'[^']*'|[^\s{}\"'=]+)|[\w:@-]++"
)

Add = Callable[[int, int, str], None]
Report = Callable[[int, str], None]


class Foreign:
    """Makes the edits of one text.

    ``add`` gets each edit as start, end and new text. ``report`` gets the offset and a message for
    each thing that the page does not show as it was written.
    """

    def __init__(
        self, links: Links, address: Callable[[Target], str], add: Add, report: Report
    ) -> None:
        self._document = links.text.body.document
        self._text = self._document.text
        self._address = address
        self._add = add
        self._report = report
        named = links.by_label
        self._targets = {k.start: (k, t) for k, t in links.links}
        self._targets |= {
            k.start: (k, named.get(k.dest, NONE))
            for k in self._document.links
            if k.kind == "image-reference"
        }
        labels = [k for k in self._document.links if k.kind in ("inline", "reference")]
        self._labels = [(k.label_start, k.label_end) for k in labels]
        self._budget = HighlightBudget()
        self._with_markdown: set[int] = set()  # starts of elements with ``markdown="1"``

    def edit(self) -> None:
        """Make all edits of the text."""
        for link, target in self._targets.values():
            if link.kind in ("image", "image-reference") and target.kind == "url":
                self._picture(link)
        for attributes in self._document.attributes:
            self._attribute_list(attributes)
        self._raw_html()

    def _in_label(self, offset: int) -> bool:
        i = bisect_right(self._labels, (offset, len(self._text))) - 1
        return i >= 0 and offset < self._labels[i][1]

    def _picture(self, link: Link) -> None:
        """Replace a Markdown picture of another host by a link, or by its words inside a link."""
        self._report(link.start, "a picture from another host is shown as a link")
        words = self._text[link.label_start : link.label_end]
        if self._in_label(link.start):
            if not words and link.kind == "image":
                words = posixpath.basename(urlsplit(link.dest).path)
            self._add(link.start, link.end, markup.escape_staged(words))
            return
        self._add(link.start, link.start + 1, "")  # without the "!" it is a link
        if not words.strip():
            self._add(link.label_start, link.label_start, markup.escape_staged(link.dest))

    def _attribute_list(self, attributes: Attributes) -> None:
        """Remove from an attribute list what may not be published."""
        kept, all_kept = [], True
        picture = any(
            k.end == attributes.start and k.kind == "image" for k, _ in self._targets.values()
        )
        for sign, name, key, value in _LIST_ITEM.findall(
            self._text[attributes.start : attributes.end]
        ):
            if not sign and not key:
                continue
            plain = key.lower() in ("title", "lang", "dir") or (
                picture and key.lower() in ("width", "height", "loading")
            )
            if (sign and not _OF_THEME.match(name)) or (key and plain):
                kept.append(f"{sign}{name}" if sign else f"{key}={value}")
            else:
                all_kept = False
                if key.lower().startswith("on"):
                    self._report(attributes.start, f"the attribute {key!r} is left out")
        if not all_kept:
            written = f"{{{' '.join(kept)}}}" if kept else ""
            self._add(attributes.start, attributes.end, written)

    def _raw_html(self) -> None:
        text, document = self._text, self._document
        tags = [*document.tags]
        behind = {tag.end: tag for tag in document.tags}
        for start, end in document.code:
            tag = behind.get(start)
            if text.startswith("<", start) and not text.startswith("<!--", start):
                self._block(start, end)
            elif tag and tag.name in ("script", "style"):
                self._add(start, end, markup.escape_staged(text[start:end]))
            elif tag:
                self._escape_stray(start, end)
                tags += tags_within(text, start, end)
        for element in elements_of(text, sorted(tags, key=lambda t: t.start)):
            self._element(element)

    def _block(self, start: int, end: int) -> None:
        """Edit a raw block: a ``<pre>`` stays, any other is shown as source, such as a script."""
        source = self._text[start:end]
        if source[:4].lower() == "<pre":
            self._escape_stray(start, end)
            for element in elements_of(self._text, tags_within(self._text, start, end)):
                self._element(element, raw=True)
            return
        name = re.match(r"<(\w+)", source)
        self._report(start, f"the element <{name[1].lower() if name else ''}> is shown as text")
        if start and self._text[start - 1] != "\n":
            self._add(start, end, markup.escape_staged(source))
            return
        language = self._budget.language("html", source)
        behind = "" if self._text.startswith("\n", end) else "\n"
        self._add(start, end, f"\n{markup.fenced(source, language)}{behind}")

    def _escape_stray(self, start: int, end: int) -> None:
        """Escape each ``<`` of a range that begins no tag: Python-Markdown might read it as one."""
        at = self._text.find("<", start, end)
        tags = {tag.start for tag in tags_within(self._text, start, end)}
        while at >= 0:
            if at not in tags:
                self._add(at, at + 1, "&lt;")
            at = self._text.find("<", at + 1, end)

    def _element(self, element: RawElement, *, raw: bool = False) -> None:
        tag, end = element.tag, element.end
        if element.fate == "text":
            if not tag.name.startswith("/"):
                self._report(tag.start, f"the element <{tag.name}> is shown as text")
            self._replace(element, self._shown(tag, raw), self._shown(end, raw) if end else "")
        elif element.fate == "drop":
            self._replace(element, "", "")
        elif tag.name == "img":
            self._img(element)
        else:
            name = _RENAMED.get(tag.name, tag.name)
            attributes = ' align="center"' if tag.name == "center" else self._attributes(element)
            if not raw and self._holds_markdown(element):
                self._with_markdown.add(tag.start)
                attributes += ' markdown="1"'
                name = "div" if name == "p" else name
            alone = end is None and tag.name not in VOID and not element.parent_ends
            closing = f"</{name}>" if alone else ""
            self._replace(element, f"<{name}{attributes}>{closing}", f"</{name}>")

    def _replace(self, element: RawElement, start: str, end: str) -> None:
        for tag, new in ((element.tag, start), (element.end, end)):
            if tag is None:
                continue
            self._add(tag.start, tag.end, new)
            line = self._text.rfind("\n", 0, tag.start) + 1
            indented = line < tag.start and not self._text[line : tag.start].strip(" \t")
            if indented and any(e.tag.start in self._with_markdown for e in element.ancestors()):
                self._add(line, tag.start, "")  # indented text would be read as code

    def _shown(self, tag: HtmlTag, raw: bool) -> str:
        source = self._text[tag.start : tag.end]
        if raw:
            return markup.escape(source)
        return "\n".join(markup.escape_staged(line) for line in source.split("\n"))

    def _holds_markdown(self, element: RawElement) -> bool:
        """Return whether the block needs ``markdown="1"``.

        Code hosts read Markdown after a blank line inside of an HTML block. Python-Markdown does so
        only with this attribute.
        """
        tag, end = element.tag, element.end
        if tag.name not in _BLOCKS or end is None:
            return False
        if any(e.fate == "keep" and e.tag.name in _BLOCKS for e in element.ancestors()):
            return False  # the outer block gets the attribute, if one is needed
        line = self._text.rfind("\n", 0, tag.start) + 1
        if self._text[line : tag.start].strip(" "):
            return False
        return _MARKDOWN_INSIDE.search(self._text, tag.end, end.start) is not None

    def _attributes(self, element: RawElement) -> str:
        tag = element.tag
        allowed = ATTRIBUTES[_RENAMED.get(tag.name, tag.name)]
        kept = []
        for key, given in attributes_of(self._text[tag.start : tag.end]):
            value = self._destination(tag.start) if key == "href" else given
            is_of_theme = key in ("id", "class", "name") and any(
                map(_OF_THEME.match, value.split())
            )
            if key in allowed and key not in ("style", "src", "cite") and value and not is_of_theme:
                kept.append(f' {key}="{markup.attribute(value)}"')
            elif key.startswith("on"):
                self._report(tag.start, f"the attribute {key!r} of <{tag.name}> is left out")
        return "".join(kept)

    def _destination(self, start: int) -> str:
        link, target = self._targets.get(start, (None, NONE))
        if link is None or target.kind in ("none", "evidence"):
            return ""
        return html.unescape(link.dest) if target.kind == "url" else self._address(target)

    def _img(self, element: RawElement) -> None:
        tag = element.tag
        attributes = dict(attributes_of(self._text[tag.start : tag.end]))
        alt = attributes.get("alt", "").strip()
        link, target = self._targets.get(tag.start, (None, NONE))
        if target.kind == "file":
            attributes["src"] = self._destination(tag.start)
            written = "".join(
                f' {key}="{markup.attribute(value)}"'
                for key, value in attributes.items()
                if key in ATTRIBUTES["img"] and key not in ("id", "class", "style")
            )
            self._add(tag.start, tag.end, f"<img{written}>")
        elif target.kind == "url" and link:
            self._report(tag.start, "a picture from another host is shown as a link")
            address = html.unescape(link.dest)
            shown = markup.escape_staged(alt or address)
            linked = self._in_label(tag.start) or any(
                e.tag.name == "a" for e in element.ancestors()
            )
            self._add(tag.start, tag.end, shown if linked else markup.anchor(address, shown))
        else:
            self._add(tag.start, tag.end, markup.escape_staged(alt or (link.dest if link else "")))
