"""Expectations: the condition that a value must meet on every machine, as ``lab.yml`` has it.

Examples are ``> 4``, ``== 109482240``, ``within 2 % of 16`` and ``between 3 and 8``. Several can be
joined by ``and``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from msgspec import Struct

from perfnotes.model.quantity import expression
from perfnotes.model.quantity.expression import Expression, ExpressionError, Lookup
from perfnotes.model.quantity.units import Unit, UnitError, name, unit
from perfnotes.model.quantity.vector import Vector

_COMPARE = re.compile(r"(>=|<=|==|>|<)\s*(.+)", re.DOTALL)
_WITHIN = re.compile(r"within\s+(\d{1,6}(?:\.\d{1,6})?)\s*%\s+of\s+(.+)", re.DOTALL)
_BETWEEN = re.compile(r"between\s+(.+?)\s+and\s+(.+)", re.DOTALL)
_AND = re.compile(r" and (?=[<>=]|within\b|between\b)")
_TEST: dict[str, Callable[[float, float], bool]] = {
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    "==": lambda x, y: math.isclose(x, y, rel_tol=1e-9),
}


class _Part(Struct, frozen=True):
    kind: str  # one of the comparisons, "within" or "between"
    bounds: tuple[Expression, ...]
    share: float = 0.0


class Expectation(Struct, frozen=True):
    """A condition for a claim's median, in the claim's unit."""

    text: str
    parts: tuple[_Part, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every name in the bounds, each once."""
        return tuple(dict.fromkeys(n for p in self.parts for b in p.bounds for n in b.names))

    def shown(self, lang: str) -> str:
        """Return the expectation as pages show it. Those in Chinese have words of their own."""
        return "，且 ".join(map(_in_chinese, self.parts)) if lang == "zh" else self.text

    def holds(self, value: float, of: Unit, lookup: Lookup) -> bool:
        """Whether ``value``, in the unit ``of``, satisfies the expectation.

        ``lookup`` gives the values of names in the bounds. Raises ``ExpressionError`` if a bound
        cannot be computed or is in another kind of unit.
        """
        return all(_holds(part, value, of, lookup) for part in self.parts)

    def range(self, of: Unit, lookup: Lookup) -> tuple[float, float]:
        """Return the lowest and the highest expected value, in the unit ``of``.

        Either may be infinite. Raises ``ExpressionError`` as ``holds`` does.
        """
        low, high = -math.inf, math.inf
        for part in self.parts:
            a, b = _range(part, of, lookup)
            low, high = max(low, a), min(high, b)
        return low, high


def parse(text: str) -> Expectation:
    """Read an expectation. Raises ``ExpressionError``, which says what is wrong with it."""
    return Expectation(text, tuple(map(_part, _AND.split(" ".join(text.split())))))


def _part(text: str) -> _Part:
    if found := _WITHIN.fullmatch(text):
        return _Part("within", (expression.parse(found[2]),), float(found[1]) / 100)
    if found := _BETWEEN.fullmatch(text):
        return _Part("between", (expression.parse(found[1]), expression.parse(found[2])))
    if found := _COMPARE.fullmatch(text):
        return _Part(found[1], (expression.parse(found[2]),))
    forms = "'> 4', '== 16', 'within 2 % of 16' or 'between 3 and 8'"
    raise ExpressionError(f"{text!r} is no expectation: write {forms}")


def _in_chinese(part: _Part) -> str:
    first, last = part.bounds[0].text, part.bounds[-1].text
    if part.kind == "within":
        return f"与 {first} 相差不超过 {part.share * 100:g}%"
    if part.kind == "between":
        return f"在 {first} 与 {last} 之间"
    return f"{part.kind} {first}"


def _holds(part: _Part, value: float, of: Unit, lookup: Lookup) -> bool:
    bounds = [_bound(each, of, lookup) for each in part.bounds]
    if part.kind == "between":
        return bounds[0] <= value <= bounds[1]
    if part.kind == "within":
        tolerance = abs(bounds[0]) * part.share
        return abs(value - bounds[0]) <= tolerance or _TEST["=="](value, bounds[0])
    return _TEST[part.kind](value, bounds[0])


def _range(part: _Part, of: Unit, lookup: Lookup) -> tuple[float, float]:
    bounds = [_bound(each, of, lookup) for each in part.bounds]
    if part.kind == "between":
        return bounds[0], bounds[1]
    tolerance = abs(bounds[0]) * part.share  # zero unless the kind is "within"
    low = -math.inf if part.kind in ("<", "<=") else bounds[0] - tolerance
    high = math.inf if part.kind in (">", ">=") else bounds[0] + tolerance
    return low, high


def _bound(bound: Expression, of: Unit, lookup: Lookup) -> float:
    """Return a bound in the unit ``of``. A bound without names is in that unit already."""
    found: Vector = bound.evaluate(lookup)
    if found.unit == unit("") and (not bound.names or not of.dimensionless):
        return found.median
    try:
        return found.to(of).median
    except UnitError as error:
        raise ExpressionError(f"{bound.text} is in {name(found.unit)}: {error}") from error
