"""A Calculator: inputs with units, formulas over them, and cases worked out beside them.

It is data: ``calc.yml`` in a note's folder. Python evaluates the formulas for the table of worked
values, a script evaluates the same texts in the browser. Both compute in units without prefixes
(``base``), so the script needs no units, only each quantity's ``factor``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from perfnotes.model.bilingual import Bilingual
from perfnotes.model.fact import NO_WORDS
from perfnotes.model.quantity.expression import Expression, ExpressionError
from perfnotes.model.quantity.units import UnitError, base, unit
from perfnotes.model.quantity.vector import QuantityError, Vector, number
from perfnotes.text.source import Source

FUNCTIONS = ("abs", "ceil", "floor", "log2", "max", "min", "sqrt")
"""What of an expression's functions means something for single numbers."""

_TOKENS = re.compile(
    r"(?:\s+|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|[-+*/(),])*"
)
_SUPER = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNIFICANT = 4
_GAP = "\u00a0"


@dataclass(frozen=True)
class Input:
    """What a reader may change, in ``unit``, between ``least`` and ``most``."""

    id: str
    what: Bilingual
    unit: str
    value: float
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Output:
    """What a formula gives in ``unit``; ``otherwise`` is shown where that is not above zero."""

    id: str
    what: Bilingual
    unit: str
    formula: Expression
    otherwise: Bilingual = NO_WORDS


@dataclass(frozen=True)
class Case:
    """Values worked out on the page; ``gives`` are results as a source prints them."""

    what: Bilingual
    values: Mapping[str, float]
    gives: Mapping[str, str]
    place: int = 0


@dataclass(frozen=True)
class Calculator:
    """``id`` is its name in the note ``note``; formulas may use the outputs above them."""

    id: str
    note: str
    title: Bilingual
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    cases: tuple[Case, ...]
    source: Source
    place: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Of the inputs, then of the outputs."""
        return (*(each.id for each in self.inputs), *(out.id for out in self.outputs))

    @property
    def formulas(self) -> tuple[str, ...]:
        """One line for each output, as the note's fence shows them."""
        return tuple(f"{out.id} = {out.formula.text}" for out in self.outputs)

    def results(self, values: Mapping[str, float]) -> dict[str, float | None]:
        """Every output in its unit; None where the numbers have none (a division by zero).

        A formula that is wrong for all numbers raises ``ExpressionError``.
        """
        known = {each.id: _given(each, values.get(each.id, each.value)) for each in self.inputs}
        found: dict[str, float | None] = {}
        for out in self.outputs:
            if any(found.get(name, 0.0) is None for name in out.formula.names):
                found[out.id] = None
                continue
            value = _evaluate(out, known)
            found[out.id] = None
            if value is not None:
                known[out.id] = value
                with suppress(UnitError):  # beyond all bounds in the unit that is shown
                    found[out.id] = value.to(unit(out.unit)).samples[0]
        return found


def _given(input: Input, value: float) -> Vector:
    try:
        return number(value, input.unit).to(base(unit(input.unit)))
    except (QuantityError, UnitError) as error:
        raise ExpressionError(f"{input.id}: {error}") from error


def _evaluate(out: Output, known: Mapping[str, Vector]) -> Vector | None:
    """In a unit without prefix; None where these numbers have no result."""
    try:
        value = out.formula.evaluate(known.__getitem__).to(base(unit(out.unit)))
    except ExpressionError as error:
        if isinstance(error.__cause__, UnitError):
            raise
        return None
    except UnitError as error:
        raise ExpressionError(str(error)) from error
    return value if math.isfinite(value.samples[0]) else None


def writable(text: str) -> bool:
    """Whether the browser's evaluator reads all signs of a formula: decimal numbers, names."""
    return _TOKENS.fullmatch(text) is not None


def figure(value: float) -> str:
    """A result as the table and the script show it: whole, or with four significant digits."""
    value = float(f"{value:.15g}") + 0.0  # minus zero is zero
    exact = Decimal(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"
    exponent = exact.adjusted()
    if not -4 <= exponent < 15:
        mantissa = _rounded(exact.scaleb(-exponent), _SIGNIFICANT - 1)
        return f"{mantissa:f}{_GAP}×{_GAP}10{str(exponent).translate(_SUPER)}"
    shown = _rounded(exact, max(0, _SIGNIFICANT - 1 - exponent))
    return f"{shown:,f}" if abs(value) >= 10_000 else f"{shown:f}"


def _rounded(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
