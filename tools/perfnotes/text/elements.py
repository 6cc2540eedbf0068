"""Raw HTML in a text: its tags paired, and what may become of each element on a page."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from perfnotes.text.tags import TAG
from perfnotes.text.tokens import Tag

# What a page may show. Elements that are only layout lose their tags and keep what they hold.
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
_NEAR = 40  # ancestors that are looked at

Fate = Literal["keep", "drop", "text"]


@dataclass(slots=True, eq=False)
class Element:
    """A tag with the one that ends it; ``fate`` says what a page makes of it.

    ``parent_ends`` where HTML lets the element end with the one around it, as ``<li>`` does.
    """

    tag: Tag
    fate: Fate
    end: Tag | None = None
    parent: Element | None = None
    parent_ends: bool = False

    def ancestors(self) -> Iterator[Element]:
        outer = self.parent
        for _ in range(_NEAR):
            if outer is None:
                return
            if outer.end:
                yield outer
            outer = outer.parent


def elements_of(text: str, tags: Iterable[Tag]) -> list[Element]:
    """The elements that the tags, in their order, make."""
    elements: list[Element] = []
    opened: list[Element] = []
    unclosed: list[Element] = []
    names: Counter[str] = Counter()
    for tag in tags:
        name = tag.name.removeprefix("/")
        fate: Fate = "keep" if name in KEPT else "drop" if name in DROPPED else "text"
        if name == tag.name:
            element = Element(tag, fate, parent=opened[-1] if opened else None)
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
            elements.append(Element(tag, ends_nothing))
    for element in unclosed + opened:
        _settle(element)
    return elements


def _settle(element: Element) -> None:
    """An element that is never closed would take in the rest of the page."""
    name = element.tag.name
    if element.fate != "keep" or name in VOID or name == "a":
        return
    if name in _OPTIONAL_END and any(True for _ in element.ancestors()):
        element.parent_ends = True
    elif name == "p":
        element.fate = "drop"
    else:
        element.fate = "text"


def tags_within(text: str, start: int, end: int) -> Iterator[Tag]:
    """The tags in a range that is no Markdown."""
    for found in TAG.finditer(text, start, end):
        name = (found["name"] or found["closed"]).lower()
        yield Tag(found.start(), found.end(), name if found["name"] else f"/{name}")


def attributes_of(tag: str) -> Iterator[tuple[str, str]]:
    """The attributes of a tag's source, names in lower case, values as what they mean."""
    inside = re.sub(r"^<[A-Za-z][A-Za-z0-9-]*|/?>$", "", tag)
    for key, value in _ATTRIBUTE.findall(inside):
        yield key.lower(), html.unescape(value[1:-1] if value[:1] in ("'", '"') else value)
