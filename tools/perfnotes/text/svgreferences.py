"""Reads which elements of an SVG file the properties of its attributes and style sheets refer to.

It reads styles in which ``svgstyle`` has found nothing wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from msgspec import Struct

_URL = re.compile(r"url\(\s*(?:\"#([^\"]*)\"|'#([^']*)'|#([^\s\"'()]*))\s*\)", re.IGNORECASE)
_TOKEN = re.compile(
    r"/\*.*?\*/|\"[^\"]*\"|'[^']*'|url\(\s*#[^\s\"'()]*\s*\)|[{};]", re.IGNORECASE | re.DOTALL
)
_BEYOND_NAMES = re.compile(r"[^\w\s.#,>+~*-]")
_COMPOUND = re.compile(r"([\w-]*)((?:[.#][\w-]+)*)")


class Reference(Struct, frozen=True):
    """A property and the ids to which it may refer, such as ``fill`` and ``a`` in ``url(#a)``."""

    property: str
    ids: tuple[str, ...]


class Rule(Struct, frozen=True):
    """References in a style sheet. The elements with all these ``names`` have them.

    A name is a tag, ``.class`` or ``#id``. Without a name every element has the references.
    """

    names: frozenset[str]
    references: list[Reference]


def possible_ids(fragment: str) -> tuple[str, ...]:
    """Return the ids that a browser may mean by the part of an address behind ``#``.

    Some browsers decode it or leave out white space, and others do not.
    """
    trimmed = re.sub(r"[\t\n\r]", "", fragment).strip()
    return tuple(dict.fromkeys((fragment, unquote(fragment), trimmed, unquote(trimmed))))


def references(property: str, value: str) -> Iterator[Reference]:
    """Yield the references in the value of one property."""
    for found in _URL.finditer(value):
        yield Reference(property, possible_ids(found[1] or found[2] or found[3] or ""))


def references_of_style(style: str) -> list[Reference]:
    """Return the references in an attribute ``style``."""
    return [each for references in _declared(style).values() for each in references]


def rules(sheet: str) -> Iterator[Rule]:
    """Yield the references in a style sheet, one rule for each selector that has any."""
    for selectors, found in _declared(sheet).items():
        for names in set(_names(selectors)):
            yield Rule(names, found)


def _declared(css: str) -> dict[str, list[Reference]]:
    """Return the references by their selectors, which are "*" where there are none."""
    declared: dict[str, list[Reference]] = {}
    blocks: list[str] = []  # the selectors of the blocks that are open
    words: list[str] = []
    at = 0
    for token in [*_TOKEN.finditer(css), None]:
        words.append(css[at : token.start() if token else None])
        at = token.end() if token else at
        if token and token[0] not in "{};":
            words.append("" if token[0].startswith("/*") else token[0])
            continue
        text, words = "".join(words), []
        if token and token[0] == "{":
            # Steps of an animation are not named like the elements to which it is given.
            is_animation = "keyframes" in text.lower() or (blocks and blocks[-1] == "*")
            blocks.append("*" if is_animation else text)
            continue
        name, _, value = text.partition(":")
        if found := list(references(name.strip().lower(), value)):
            declared.setdefault(blocks[-1] if blocks else "*", []).extend(found)
        if token and token[0] == "}" and blocks:
            blocks.pop()
    return declared


def _names(selectors: str) -> Iterator[frozenset[str]]:
    """Yield for each selector the names that an element has at least.

    They are those of its last part: ``b`` in ``.a > b``. A selector with anything but names, such
    as ``:hover``, counts as one for every element.
    """
    if _BEYOND_NAMES.search(selectors):
        yield frozenset()
        return
    for selector in selectors.split(","):
        compound = _COMPOUND.fullmatch(re.split(r"[\s>+~*]+", selector.strip())[-1])
        if compound is None:
            yield frozenset()
        else:
            marked = re.findall(r"[.#][\w-]+", compound[2])
            yield frozenset([*marked, *filter(None, [compound[1]])])
