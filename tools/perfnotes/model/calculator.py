"""A Calculator: inputs with units, formulas over them, and a table of worked cases.

It is read from ``calc.yml`` in a note's folder. Python evaluates the formulas for the table of
worked cases, and a script evaluates the same formulas in the browser. Both compute in units without
prefixes (``base``), so the script needs no units, only each quantity's ``factor``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from perfnotes.model.bilingual import NO_WORDS, Bilingual
from perfnotes.model.quantity.expression import Expression, ExpressionError
from perfnotes.model.quantity.units import UnitError, base, unit
from perfnotes.model.quantity.vector import QuantityError, Vector, number
from perfnotes.text.source import Source

FUNCTIONS = ("abs", "ceil", "floor", "log2", "max", "min", "sqrt")
"""The functions of expressions that make sense for single numbers."""

# Possessive quantifiers (``++``) match each token once and whole. With backtracking, a name of 40
# letters could be split into shorter names in 2^39 ways.
_TOKENS = re.compile(
    r"(?:\s++|[A-Za-z_]\w*+|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?(?![\w.])|[-+*/(),])*+"
)


class Input(Struct, frozen=True):
    """A number that a reader may change, in ``unit``, between ``least`` and ``most``."""

    id: str
    what: Bilingual
    unit: str
    value: float
    least: float | None = None
    most: float | None = None


class CalculatorOutput(Struct, frozen=True):
    """The result of a formula, in ``unit``.

    If the result is not above zero, pages show the words ``otherwise`` in its place.
    """

    id: str
    what: Bilingual
    unit: str
    formula: Expression
    otherwise: Bilingual = NO_WORDS


class Case(Struct, frozen=True):
    """A worked case: values of the inputs, whose results the page shows.

    ``gives`` holds some of the results as a source prints them; the formulas must give the same.
    """

    what: Bilingual
    values: Mapping[str, float]
    gives: Mapping[str, str]
    place: int = 0


class Calculator(Struct, frozen=True):
    """The calculator ``id`` of the note ``note``. A formula may use the outputs above it."""

    id: str
    note: str
    title: Bilingual
    inputs: tuple[Input, ...]
    outputs: tuple[CalculatorOutput, ...]
    cases: tuple[Case, ...]
    source: Source
    place: int = 0

    @property
    def anchor(self) -> str:
        """The id of the calculator's element on the page. No heading has an id like it."""
        return f"calc--{self.id}"

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the inputs, then those of the outputs."""
        return (*(each.id for each in self.inputs), *(out.id for out in self.outputs))

    @property
    def formulas(self) -> tuple[str, ...]:
        """One line ``id = formula`` for each output, as the note's code block shows them."""
        return tuple(f"{out.id} = {out.formula.text}" for out in self.outputs)

    def results(self, values: Mapping[str, float]) -> dict[str, float | None]:
        """Compute every output in its unit. An output without a result, as after 1/0, is None.

        Inputs that are not in ``values`` have their usual value. Raises ``ExpressionError`` if a
        formula is wrong for all numbers, for example because units do not fit.
        """
        known = {
            each.id: _in_base_unit(each, values.get(each.id, each.value)) for each in self.inputs
        }
        found: dict[str, float | None] = {}
        for out in self.outputs:
            if any(found.get(name, 0.0) is None for name in out.formula.names):
                found[out.id] = None
                continue
            value = _evaluate(out, known)
            found[out.id] = None
            if value is not None:
                known[out.id] = value
                with suppress(UnitError):  # too large in the unit that is shown
                    found[out.id] = value.to(unit(out.unit)).samples[0]
        return found


def _in_base_unit(input: Input, value: float) -> Vector:
    try:
        return number(value, input.unit).to(base(unit(input.unit)))
    except (QuantityError, UnitError) as error:
        raise ExpressionError(f"{input.id}: {error}") from error


def _evaluate(out: CalculatorOutput, known: Mapping[str, Vector]) -> Vector | None:
    """Compute an output in its unit without prefix, or None if these numbers have no result."""
    try:
        value = out.formula.evaluate(known.__getitem__).to(base(unit(out.unit)))
    except ExpressionError as error:
        if isinstance(error.__cause__, UnitError):
            raise
        return None
    except UnitError as error:
        raise ExpressionError(str(error)) from error
    return value if math.isfinite(value.samples[0]) else None


def script_can_read(formula: str) -> bool:
    """Whether the script in the browser can read a formula.

    The script knows names, decimal numbers, the operators ``+ - * /``, commas and parentheses.
    """
    return _TOKENS.fullmatch(formula) is not None
