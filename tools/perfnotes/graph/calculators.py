"""Fences that stand for a calculator: ```` ```text calc=speed-up ````.

The fence holds the calculator's formulas, one on each line, so that a reader on a code host sees
them. The site computes from ``calc.yml`` beside the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.graph.links import Links
from perfnotes.model.calculator import Calculator
from perfnotes.model.library import Library
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Fence

_NAMED = re.compile(r"(?:^|\s)calc=(?P<id>\S*)")


class PlacedCalculator(Struct, frozen=True):
    """A fence with its calculator, or with its problem: a message and a hint."""

    fence: Fence
    calculator: Calculator | None = None
    problem: tuple[str, str] | None = None


def placed_calculators(links: Links, library: Library) -> Iterator[PlacedCalculator]:
    """Yield every fence of a text that names a calculator, in the order of the text."""
    text = links.text.body.document.text
    known = library.calculators.get(links.text.id, {}) if links.text.kind == "note" else {}
    for fence in links.text.body.document.blocks.fences:
        named = _NAMED.search(text[fence.info_start : fence.info_end])
        if not named:
            continue
        made = known.get(named["id"])
        if made is None:
            guess = nearest(named["id"], known, 0.6)
            hint = f"did you mean {guess}?" if guess else "calc.yml beside the note describes it"
            message = f"this note has no calculator {named['id']!r}"
            yield PlacedCalculator(fence, problem=(message, hint))
        elif text.rfind("\n", 0, fence.start) + 1 != fence.start or not fence.closed:
            message = "a calculator's fence must start at the margin and be closed"
            yield PlacedCalculator(
                fence, problem=(message, "do not indent the fence, and close it")
            )
        elif tuple(text[fence.start : fence.end].split("\n")[1:-1]) != made.formulas:
            hint = "its formulas: " + "; ".join(made.formulas)
            yield PlacedCalculator(fence, problem=("these are not the calculator's formulas", hint))
        else:
            yield PlacedCalculator(fence, made)
