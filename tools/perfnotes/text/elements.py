"""Pairs the raw HTML tags of a text, and decides what a page makes of each element."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from perfnotes.text.tags import TAG
from perfnotes.text.tokens import HtmlTag

# Elements whose tags stay when a page shows raw HTML. Some of them are obsolete, such as <center>:
# a page gets another element in their place. Those in DROPPED are only layout: their tags are
# removed, and their content stays.
KEPT = frozenset(
    "a abbr acronym b blockquote br caption center cite code col colgroup dd del details dfn div "
    "dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp "
    "section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u "
    "ul var".split()
)
DROPPED = frozenset("font big picture source article aside header footer main wbr nobr".split())
VOID = frozenset("br hr img col wbr source".split())
_OPTIONAL_END = frozenset("li p td th tr tbody thead tfoot dt dd colgroup".split())
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?")
# So many ancestors are looked at, so that deep nesting does not take quadratic time.
_MOST_ANCESTORS = 40

Fate = Literal["keep", "drop", "text"]


class RawElement(Struct, eq=False):
    """A start tag and the end tag that belongs to it, if there is one.

    ``fate`` is what a page makes of the element: ``keep``, ``drop`` the tags, or show the tags as
    ``text``. ``parent_ends`` says that the element ends with the one around it, as HTML allows for
    ``<li>``.
    """

    tag: HtmlTag
    fate: Fate
    end: HtmlTag | None = None
    parent: RawElement | None = None
    parent_ends: bool = False

    def ancestors(self) -> Iterator[RawElement]:
        """Yield the elements around this one that are closed, from the inside to the outside."""
        outer = self.parent
        for _ in range(_MOST_ANCESTORS):
            if outer is None:
                return
            if outer.end:
                yield outer
            outer = outer.parent


def elements_of(text: str, tags: Iterable[HtmlTag]) -> list[RawElement]:
    """Return the elements that the tags of ``text`` make; ``tags`` are in the order of the text."""
    elements: list[RawElement] = []
    opened: list[RawElement] = []
    unclosed: list[RawElement] = []
    names: Counter[str] = Counter()
    for tag in tags:
        name = tag.name.removeprefix("/")
        fate: Fate = "keep" if name in KEPT else "drop" if name in DROPPED else "text"
        if name == tag.name:
            element = RawElement(tag, fate, parent=opened[-1] if opened else None)
            elements.append(element)
            if name not in VOID and text[tag.end - 2] != "/":
                opened.append(element)
                names[name] += 1
        elif names[name]:
            while True:
                element = opened.pop()
                names[element.tag.name] -= 1
                if element.tag.name == name:
                    element.end = tag
                    break
                unclosed.append(element)
        else:
            ends_nothing: Fate = "drop" if fate == "drop" or name in ("p", "br") else "text"
            elements.append(RawElement(tag, ends_nothing))
    for element in unclosed + opened:
        _settle(element)
    return elements


def _settle(element: RawElement) -> None:
    """Decide the fate of an element that is never closed: it must not enclose the whole page."""
    name = element.tag.name
    if element.fate != "keep" or name in VOID or name == "a":
        return
    if name in _OPTIONAL_END and any(True for _ in element.ancestors()):
        element.parent_ends = True
    elif name == "p":
        element.fate = "drop"
    else:
        element.fate = "text"


def tags_within(text: str, start: int, end: int) -> Iterator[HtmlTag]:
    """Yield the tags in a range of raw HTML, in which nothing is Markdown."""
    for found in TAG.finditer(text, start, end):
        name = (found["name"] or found["closed"]).lower()
        yield HtmlTag(found.start(), found.end(), name if found["name"] else f"/{name}")


def attributes_of(tag: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a tag's source: name in lower case, value with entities decoded."""
    inside = re.sub(r"^<[A-Za-z][A-Za-z0-9-]*|/?>$", "", tag)
    for key, value in _ATTRIBUTE.findall(inside):
        yield key.lower(), html.unescape(value[1:-1] if value[:1] in ("'", '"') else value)
