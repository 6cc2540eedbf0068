"""An Explorable: a picture, controls that change it, and a sentence that says what it shows.

All numbers of an explorable are in one mapping, which its functions call ``n``: the constants, the
values of the controls, and what ``compute`` returns for these. ``draw`` returns the attributes of
the moving elements of the picture for such a mapping. ``frame`` returns the rest of the picture as
SVG.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from perfnotes.explorables._drawing import Attributes, Element
from perfnotes.model.bilingual import Bilingual
from perfnotes.model.quantity.amount import digits

Numbers = Mapping[str, float]
_NO_BREAK_SPACE = "\u00a0"
_DIGITS = 3
WIDTH = 360
"""The width of every picture, about that of the text on a phone, so that its words are legible."""


class Constant(Struct, frozen=True):
    """A number with evidence: the address of a lab's value or of a fact, and the unit to use."""

    id: str
    what: Bilingual
    address: str
    unit: str = ""


class Control(Struct, frozen=True):
    """A slider with whole positions from ``least`` to ``most``, or one of several ``choices``.

    A position stands for the value ``step * position``, or ``step * 2**position`` if ``doubling``.
    The value of a choice is its position.
    """

    id: str
    what: Bilingual
    least: int
    most: int
    start: int
    step: float = 1
    doubling: bool = False
    unit: str = ""
    choices: tuple[Bilingual, ...] = ()

    def value(self, position: int) -> float:
        """Return the number that a position stands for."""
        return self.step * (2.0**position if self.doubling else position)

    def shown(self, position: int, lang: str) -> str:
        """Return the value of a position as the page shows it."""
        if self.choices:
            return self.choices[position][lang]
        return amount(self.value(position), self.unit)


class Explorable(Struct, frozen=True):
    """One thing to try.

    ``lead`` is the text above the picture, whose ``height`` is in the unit of ``WIDTH``. ``says``
    are the sentences below the picture; the number ``case`` from ``compute`` chooses one. They have
    names of numbers in braces. ``how`` says in words what the ``formulas`` compute and
    what they leave out. With ``drag`` the first control follows a pointer in the picture.
    """

    title: Bilingual
    lead: Bilingual
    how: Bilingual
    formulas: tuple[str, ...]
    constants: tuple[Constant, ...]
    controls: tuple[Control, ...]
    says: tuple[Bilingual, ...]
    height: int
    frame: Callable[[Numbers, str], str]
    moving: tuple[Element, ...]
    compute: Callable[[Numbers], dict[str, float]]
    draw: Callable[[Numbers], Sequence[Attributes]]
    drag: bool = False

    @property
    def start(self) -> tuple[int, ...]:
        """The positions of the controls in the picture that the page shows without a script."""
        return tuple(control.start for control in self.controls)

    def numbers(self, constants: Numbers, positions: Sequence[int]) -> dict[str, float]:
        """Return all numbers for these positions of the controls."""
        inputs = {
            control.id: control.value(position)
            for control, position in zip(self.controls, positions, strict=True)
        }
        given = {**constants, **inputs}
        return {**given, **self.compute(given)}

    def sentences(self, lang: str) -> list[str]:
        """Return all sentences, with no-break spaces between numbers and their units."""
        pattern = r"(?<=[}\d]) (?=%|ns)"
        return [re.sub(pattern, _NO_BREAK_SPACE, text[lang]) for text in self.says]

    def sentence(self, numbers: Numbers, lang: str) -> str:
        """Return the sentence that says what the picture shows for these numbers."""
        text = self.sentences(lang)[int(numbers.get("case", 0))]
        units = {control.id: control.unit for control in self.controls}
        shown = {id: amount(value, units.get(id, "")) for id, value in numbers.items()}
        return text.format_map(shown)


def amount(value: float, unit: str = "") -> str:
    """Return a number with its unit, as the script writes it; 1024 KiB and more in MiB."""
    if unit == "KiB" and value >= 1024:
        value, unit = value / 1024, "MiB"
    shown = digits(value, _DIGITS)
    return f"{shown}{_NO_BREAK_SPACE}{unit}" if unit else shown
