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
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Fence

_NAMED = re.compile(r"(?:^|\s)explore=(?P<name>\S*)")
_FORM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 60


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
    if links.text.kind != "note" or not evidence.library.own:
        return
    text = links.text.body.document.text
    seen: set[str] = set()
    for fence in links.text.body.document.blocks.fences:
        named = _NAMED.search(text[fence.info_start : fence.info_end])
        if named:
            yield _placed(fence, named["name"], text, evidence, seen)
            seen.add(named["name"])


def constants_in(links: Links) -> Iterator[str]:
    """Yield the addresses of the numbers that the explorables of a text are made from."""
    text = links.text.body.document.text
    for fence in links.text.body.document.blocks.fences:
        named = _NAMED.search(text[fence.info_start : fence.info_end])
        made = explorables().get(named["name"]) if named else None
        yield from (constant.address for constant in made.constants) if made else ()


def _placed(
    fence: Fence, name: str, text: str, evidence: Evidence, seen: set[str]
) -> PlacedExplorable:
    made = explorables().get(name)
    if made is None:
        good = _FORM.fullmatch(name) and len(name) <= _LONGEST
        guess = nearest(name, explorables(), 0.6) if good else ""
        hint = f"did you mean {guess}?" if guess else "there are " + ", ".join(explorables())
        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
        return PlacedExplorable(fence, name, problem=(f"no explorable is called {shown!r}", hint))
    if name in seen:
        return PlacedExplorable(fence, name, problem=(f"{name} stands here twice", "keep one"))
    if text.rfind("\n", 0, fence.start) + 1 != fence.start or not fence.closed:
        message = "an explorable's fence must start at the margin and be closed"
        hint = "do not indent the fence, and close it"
        return PlacedExplorable(fence, name, problem=(message, hint))
    if tuple(text[fence.start : fence.end].split("\n")[1:-1]) != made.formulas:
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
            hint = f"tools/perfnotes/explorables uses {constant.address}"
            message = f"{name} has no number for {constant.id!r}: {error}"
            return PlacedExplorable(fence, name, problem=(message, hint))
        found[constant.id], constants[constant.id] = there, value
    return PlacedExplorable(fence, name, made, found, constants)
