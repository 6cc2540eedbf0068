"""Fences that stand for an explorable: ```` ```text explore=roofline ````.

The fence holds the explorable's formulas, one on each line, as that of a calculator does. The
numbers of the explorable are looked up where its constants say, in results of labs and in facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from perfnotes.explorables import explorables
from perfnotes.explorables._explorable import Explorable
from perfnotes.explorables._typed_line import TypedLine
from perfnotes.graph.binding import Found
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.links import Links
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.quantity.vector import number
from perfnotes.text.cut import cut
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Fence, MarkdownDocument

_NAMED = re.compile(r"(?:^|\s)explore=(?P<name>\S*)")
_FORM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 60  # characters of a name that a message shows


class PlacedExplorable(Struct, frozen=True):
    """A fence with its explorable and the constants' evidence, or with its problem and a hint."""

    fence: Fence
    name: str
    explorable: Explorable | TypedLine | None = None
    found: Mapping[str, Found] = field(default_factory=dict)  # by the constant's id
    constants: Mapping[str, float] = field(default_factory=dict)
    problem: tuple[str, str] | None = None


def placed_explorables(links: Links, evidence: Evidence) -> Iterator[PlacedExplorable]:
    """Every fence of a note's text that names an explorable, in the order of the text."""
    seen: set[str] = set()
    for each in _named_fences(links, evidence):
        yield _placed(each, evidence, seen)
        seen.add(each.name)


def constants_in(links: Links, evidence: Evidence) -> Iterator[str]:
    """Yield the addresses of the numbers that the explorables of a text are made from."""
    for each in _named_fences(links, evidence):
        made = explorables().get(each.name)
        yield from (constant.address for constant in made.constants) if made else ()


class _NamedFence(Struct, frozen=True):
    """A fence that names an explorable, and its ``lines`` without those that open and close it."""

    fence: Fence
    name: str
    lines: tuple[str, ...]
    is_at_margin: bool


def _named_fences(links: Links, evidence: Evidence) -> list[_NamedFence]:
    """Return the fences of a note that name an explorable; they are stored with its text.

    Other texts, and the notes of other folders, have none.
    """
    if links.text.kind != "note" or not evidence.library.own:
        return []
    body = links.text.body
    return body.computed("explorables", None, lambda: [*_find_fences(body.document)])


def _find_fences(document: MarkdownDocument) -> Iterator[_NamedFence]:
    text = document.text
    for fence in document.blocks.fences:
        if named := _NAMED.search(text[fence.info_start : fence.info_end]):
            lines = tuple(text[fence.start : fence.end].split("\n")[1:-1])
            is_at_margin = text.rfind("\n", 0, fence.start) + 1 == fence.start
            yield _NamedFence(fence, named["name"], lines, is_at_margin)


def _placed(named: _NamedFence, evidence: Evidence, seen: set[str]) -> PlacedExplorable:
    fence, name = named.fence, named.name
    made = explorables().get(name)
    if made is None:
        good = _FORM.fullmatch(name) and len(name) <= _LONGEST
        guess = nearest(name, explorables(), 0.6) if good else ""
        hint = f"did you mean {guess}?" if guess else "there are " + ", ".join(explorables())
        shown = cut(name, _LONGEST)
        return PlacedExplorable(fence, name, problem=(f"no explorable is called {shown!r}", hint))
    if name in seen:
        return PlacedExplorable(fence, name, problem=(f"{name} stands here twice", "keep one"))
    if not named.is_at_margin or not fence.closed:
        message = "an explorable's fence must start at the margin and be closed"
        hint = "do not indent the fence, and close it"
        return PlacedExplorable(fence, name, problem=(message, hint))
    if named.lines != made.formulas:
        hint = "its formulas: " + "; ".join(made.formulas)
        message = "these are not the explorable's formulas"
        return PlacedExplorable(fence, name, problem=(message, hint))
    found, constants = {}, {}
    for constant in made.constants:
        there = evidence.find(constant.address)
        try:
            if there.number is None:
                raise UnitError((there.problem or ("", "it has no value", ""))[1])
            value = number(there.number, there.unit).to(unit(constant.unit)).samples[0]
        except UnitError as error:
            hint = f"it is computed from {constant.address}: record that lab, or add that fact"
            message = f"{name} has no number for {constant.id!r}: {error}"
            return PlacedExplorable(fence, name, problem=(message, hint))
        found[constant.id], constants[constant.id] = there, value
    return PlacedExplorable(fence, name, made, found, constants)
