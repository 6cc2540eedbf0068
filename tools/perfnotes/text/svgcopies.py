"""Counts what the references of an SVG file draw again, without drawing it.

``<use>`` draws another element once more, and so does ``url(#…)`` for a pattern, marker, mask or
clip path. What is drawn again may hold references too: a kilobyte of six levels, with ten
references each, draws a million elements. The count is an upper bound, because a property with a
reference counts for every element that could inherit it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from perfnotes.text.svgreferences import (
    Reference,
    Rule,
    possible_ids,
    references,
    references_of_style,
    rules,
)

MOST_COPIES = 20_000
"""So many copies take a browser about a second; ten times as many, some twenty seconds."""

_MOST_LOOKS = 1_000_000  # at references of a style, for all elements together
_UNDRAWN = frozenset(
    "defs symbol pattern marker mask clipPath linearGradient radialGradient filter".split()
)
_FLAT = frozenset("linearGradient radialGradient filter".split())  # nothing inside is drawn
_NOT_INHERITED = frozenset(("clip-path", "mask", "filter"))
_AT_EACH_CORNER = frozenset(("marker", "marker-mid"))
_CORNER = re.compile(r"\d+|[A-Za-z]")  # a corner of a path has at least one of them
_CEILING = 10**12  # a larger number is cut, so that no number gets long


class _Element(Struct):
    """An element; other elements are given as their number in the order of the file.

    ``parent`` is the element around this one, or -1; ``uses`` are ids to which its href may lead.
    """

    tag: str
    line: int
    parent: int
    is_drawn: bool
    corners: int
    names: frozenset[str]
    references: list[Reference]
    uses: list[str]
    inside: list[int] = field(default_factory=list)


class _ProblemError(Exception):
    """A problem as its line and its message."""


# A number about an element. "content": how many elements it draws. "factor": as how many its
# properties make each of them count. "around": the product of the factors of all elements around
# it. "target": how many elements a property draws that refers to it.
_Key = tuple[str, int]


class Copies:
    """The elements of one SVG file, told in the order of the file."""

    def __init__(self) -> None:
        self._elements: list[_Element] = []
        self._open: list[int] = []
        self._rules: dict[str, list[Rule]] = {}
        self._by_id: dict[str, int] = {}  # of two elements with one id a browser takes the first
        self._corners = 1  # the most of any element
        self._known: dict[_Key, int] = {}

    def begin(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """Take the start of an element; its attributes are named ``NAMESPACE name`` or ``name``."""
        number = len(self._elements)
        parent = self._open[-1] if self._open else -1
        is_drawn = tag not in _UNDRAWN and (parent < 0 or self._elements[parent].is_drawn)
        names, corners = {tag}, 0
        found: list[Reference] = []
        uses: list[str] = []
        for full_name, value in attributes.items():
            name = full_name.rpartition(" ")[2].lower()
            if name == "href":
                address = value.strip()
                uses += possible_ids(address[1:]) if address.startswith("#") else ()
            elif name == "id":
                self._by_id.setdefault(value, number)
                names.add(f"#{value}")
            elif name == "class":
                names |= {f".{each}" for each in value.split()}
            else:
                found += references_of_style(value) if name == "style" else references(name, value)
                corners += _corners(value) if name in ("d", "points", "style") else 0
        self._corners = max(self._corners, corners)
        if parent >= 0:
            self._elements[parent].inside.append(number)
        self._open.append(number)
        self._elements.append(
            _Element(tag, line, parent, is_drawn, corners, frozenset(names), found, uses)
        )

    def end(self) -> None:
        """Take the end of the element that began last and is still open."""
        self._open.pop()

    def style(self, sheet: str) -> None:
        """Take the text of a ``<style>``."""
        if "path(" in sheet.lower():
            self._corners = max(self._corners, _corners(sheet))
        for rule in rules(sheet):
            self._rules.setdefault(min(rule.names, default="*"), []).append(rule)

    def problem(self) -> tuple[int, str] | None:
        """Return the line and description of what takes a browser too long, or None."""
        try:
            self._apply_rules()
            copies = self._value(("content", 0)) - sum(e.is_drawn for e in self._elements)
        except _ProblemError as problem:
            line, message = problem.args
            return line, message
        if copies <= MOST_COPIES:
            return None
        number = f"{copies:,}" if copies < _CEILING // 2 else "countless"
        message = f"references that draw {number} copies of elements; {MOST_COPIES:,} are allowed"
        return self._elements[self._largest()].line, message

    def _apply_rules(self) -> None:
        """Give every element the references that style sheets have for it."""
        looks = 0
        for element in self._elements:
            for name in ("*", *element.names) if self._rules else ():
                for rule in self._rules.get(name, ()):
                    looks += len(rule.references)
                    if looks > _MOST_LOOKS:
                        raise _ProblemError(element.line, "too many references in a style")
                    if rule.names <= element.names:
                        element.references += rule.references
            if any(reference.property.startswith("--") for reference in element.references):
                raise _ProblemError(element.line, "a variable with url() in an SVG file")

    def _value(self, wanted: _Key) -> int:
        """Return a number; those that it depends on are computed first, without recursion."""
        begun: set[_Key] = set()
        waiting = [wanted]
        while waiting:
            key = waiting[-1]
            if key in self._known:
                waiting.pop()
            elif key in begun:
                self._known[waiting.pop()] = min(self._computed(*key), _CEILING)
            else:
                begun.add(key)
                needed = [each for each in self._needed(*key) if each not in self._known]
                if not begun.isdisjoint(needed):
                    line = self._elements[key[1]].line
                    raise _ProblemError(line, "a reference that leads back to its own element")
                waiting += needed
        return self._known[wanted]

    def _needed(self, what: str, number: int) -> Iterator[_Key]:
        """Yield what a number is computed from; for "content" the factor comes first."""
        element = self._elements[number]
        if what == "content":
            yield "factor", number
            yield from self._parts(element)
        elif what == "factor":
            for reference in element.references:
                if reference.property not in _NOT_INHERITED:
                    yield from self._targets(reference.ids)
        elif what == "around" and element.parent >= 0:
            yield "factor", element.parent
            yield "around", element.parent
        elif what == "target" and element.tag not in _FLAT:
            yield "content", number
            yield "around", number

    def _computed(self, what: str, number: int) -> int:
        element = self._elements[number]
        product = 1
        if what == "factor":
            for reference in element.references:
                if reference.property not in _NOT_INHERITED:
                    drawn = sum(self._known[key] for key in self._targets(reference.ids))
                    product *= 1 + drawn * self._times(element, reference.property)
                    product = min(product, _CEILING)
            return product
        needed = (self._known[key] for key in self._needed(what, number))
        if what == "content":
            return next(needed) * (1 + sum(needed))
        for each in needed:
            product *= each
        return product

    def _parts(self, element: _Element) -> Iterator[_Key]:
        """Yield the elements that an element draws besides itself."""
        for number in element.inside:
            if self._elements[number].tag not in _UNDRAWN:
                yield "content", number
        for _, number in self._targets(element.uses):
            # A copy inherits from <use>, and not from what is around the original.
            yield "content" if element.tag == "use" else "target", number
        for reference in element.references:
            if reference.property in _NOT_INHERITED:
                yield from self._targets(reference.ids)

    def _targets(self, ids: Iterable[str]) -> Iterator[_Key]:
        return (("target", self._by_id[id]) for id in ids if id in self._by_id)

    def _times(self, element: _Element, property: str) -> int:
        """Return how often a property draws what it refers to on one element, at the most."""
        if property not in _AT_EACH_CORNER:
            return 1
        is_shape = not element.inside and element.tag != "use"
        return max(element.corners, 1) if is_shape else self._corners

    def _largest(self) -> int:
        """Return the innermost element that draws too much by itself."""
        number = 0
        while True:
            inside = [n for n in self._elements[number].inside if ("content", n) in self._known]
            largest = max(inside, key=lambda n: self._known["content", n], default=-1)
            if largest < 0 or self._known["content", largest] <= MOST_COPIES:
                return number
            number = largest


def _corners(value: str) -> int:
    return sum(1 for _ in _CORNER.finditer(value))
