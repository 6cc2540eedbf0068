"""Parses HTML into a tree of elements and text, each with its source line. Any input parses.

The standard library's parser is used because it knows the line of every tag, which the report
needs, and accepts any input. The tests compare its text with what a browser shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from msgspec import Struct, field

VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr keygen basefont bgsound"
    " frame".split()
)
_DEEPEST = 60  # levels; deeper elements are put at this level, because the writer recurses
# For each tag: the open elements that it ends, and the elements beyond which it ends none.
_ENDS = {
    "li": ({"li"}, {"ul", "ol", "menu", "dir"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr", "td", "th", "caption", "colgroup"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "thead": ({"thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup"}, {"table"}),
    "tbody": ({"thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup"}, {"table"}),
    "tfoot": ({"thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup"}, {"table"}),
    "option": ({"option"}, {"select", "datalist"}),
}
# Browsers make a comment of `<![`, up to the next `>`. Here it is more likely text.
_NO_SECTION = re.compile(r"<!\[(?!CDATA\[|(?:if|else|endif)\b)", re.IGNORECASE)
BLOCKS = frozenset(
    "address article aside blockquote body center details dialog dd dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main "
    "menu nav noscript ol p pre section summary table tbody td tfoot th thead tr ul caption "
    "iframe video audio object".split()
)


class HtmlText(Struct):
    """Text between tags."""

    data: str
    line: int


class HtmlElement(Struct):
    """An element with its children."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[HtmlElement | HtmlText] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it; images are their ``alt``, and ``<br>`` is a line feed."""
        parts = []
        for child in self.children:
            if isinstance(child, HtmlText):
                parts.append(child.data)
            elif child.tag == "br":
                parts.append("\n")
            else:
                parts.append(child.attributes.get("alt", "") if child.tag == "img" else child.text)
        return "".join(parts)

    def find(self, *tags: str) -> HtmlElement | None:
        """The first element of one of these names below this one."""
        for child in self.children:
            if isinstance(child, HtmlElement):
                found = child if child.tag in tags else child.find(*tags)
                if found:
                    return found
        return None


class _Builder(HTMLParser):
    def __init__(self, first: int) -> None:
        super().__init__(convert_charrefs=True)
        self.first = first
        self.root = HtmlElement("#root", {}, first)
        self.open = [self.root]
        self.comments: list[tuple[int, str]] = []

    @property
    def line(self) -> int:
        return self.getpos()[0] + self.first - 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        ended, around = _ENDS.get(tag, (set(), set()))
        if tag in BLOCKS and any(e.tag == "p" for e in self.open[-3:]):
            ended, around = ended | {"p"}, around | {"td", "th", "li", "div", "table"}
        self._end(ended, around)
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name.lower(), value or "")
        element = HtmlElement(tag, attributes, self.line)
        self.open[-1].children.append(element)
        if tag not in VOID and len(self.open) < _DEEPEST:
            self.open.append(element)

    def _end(self, names: set[str], around: set[str]) -> None:
        """End the open elements with these names, from the innermost up to one of ``around``."""
        for i in range(len(self.open) - 1, 0, -1):
            if self.open[i].tag in around:
                return
            if self.open[i].tag in names:
                del self.open[i:]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # in HTML the slash of <div/> means nothing

    def handle_endtag(self, tag: str) -> None:
        if tag == "br":
            self.handle_starttag("br", [])
        for i in range(len(self.open) - 1, 0, -1):
            if self.open[i].tag == tag:
                del self.open[i:]
                return
            if self.open[i].tag == "table" and tag not in ("table", "body", "html", "div"):
                return

    def parse_html_declaration(self, i: int) -> int:
        try:
            return super().parse_html_declaration(i)
        except AssertionError:  # the parser raises it for declarations that it does not know
            self.handle_data("<!")
            return i + 2

    def handle_data(self, data: str) -> None:
        children = self.open[-1].children
        last = children[-1] if children else None
        if isinstance(last, HtmlText):
            last.data += data
        else:
            children.append(HtmlText(data, self.line))

    def handle_comment(self, data: str) -> None:
        self.comments.append((self.line, data))

    def handle_decl(self, decl: str) -> None:
        if not decl.lower().startswith("doctype"):
            self.comments.append((self.line, decl))

    def handle_pi(self, data: str) -> None:
        self.comments.append((self.line, data))

    def unknown_decl(self, data: str) -> None:
        self.handle_data(data.removeprefix("CDATA["))


def parse(source: str, first: int = 1) -> tuple[HtmlElement, list[tuple[int, str]]]:
    """The tree of a text, and its comments with their lines.

    ``first`` is the number of the text's first line.
    """
    builder = _Builder(first)
    source = _NO_SECTION.sub("&lt;![", source)
    # Behind the last ">" no tag can end, but the parser would search for an end from each "<".
    last = source.rfind(">") + 1
    builder.feed(source[:last] + source[last:].replace("<", "&lt;"))
    if builder.cdata_elem:
        # A script that never ends would swallow the rest of the page.
        builder.open[-1].tag = "div"
        builder.clear_cdata_mode()
    builder.close()
    return builder.root, builder.comments


def invisible(element: HtmlElement) -> Iterator[HtmlElement]:
    """Scripts, styles and templates below an element: what a page holds but no reader sees."""
    for child in element.children:
        if isinstance(child, HtmlElement):
            if child.tag in ("script", "style", "template"):
                yield child
            else:
                yield from invisible(child)
