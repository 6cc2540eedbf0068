"""A Vector: samples of one quantity with its unit, and the arithmetic that keeps them in pairs."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from perfnotes.model.quantity.units import LARGEST, UnitError, factor, highest_power, name, unit

_HIGHEST_POWER = 64
_BEYOND = "a number beyond all bounds"


class QuantityError(ValueError):
    """Quantities that do not go together: lengths, units, or a division by nothing."""


@dataclass(frozen=True)
class Vector:
    """Samples in the order in which they were taken; a single number is a vector of one."""

    samples: tuple[float, ...]
    unit: Any

    def to(self, target: Any) -> Vector:
        """The same in another unit."""
        by = factor(self.unit, target)
        samples = tuple(s * by for s in self.samples)
        if not _bounded(samples):
            raise UnitError(f"a number beyond all bounds, in {name(target)}")
        return Vector(samples, target)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


@dataclass(frozen=True)
class Spread:
    """Median, quartiles and extremes of ``n`` samples, in the unit of the vector.

    It holds numbers alone, since a unit belongs to the process that made it and cannot be stored.
    """

    median: float
    low: float
    high: float
    min: float
    max: float
    n: int


def spread(vector: Vector) -> Spread:
    """What a vector's samples look like; the quartiles are of the samples themselves."""
    s = sorted(vector.samples)
    if len(s) > 1:
        low, _, high = statistics.quantiles(s, n=4, method="inclusive")
    else:
        low = high = s[0]
    return Spread(statistics.median(s), low, high, s[0], s[-1], len(s))


def number(value: float, of: str = "") -> Vector:
    """A single number in a unit."""
    return _made((float(value),), unit(of))


def add(a: Vector, b: Vector) -> Vector:
    """Pair by pair, in the unit of the first."""
    return _pairwise(a, b.to(a.unit), lambda x, y: x + y, a.unit)


def subtract(a: Vector, b: Vector) -> Vector:
    """Likewise."""
    return _pairwise(a, b.to(a.unit), lambda x, y: x - y, a.unit)


def smaller(a: Vector, b: Vector) -> Vector:
    """The smaller of each pair, in the unit of the first."""
    return _pairwise(a, b.to(a.unit), min, a.unit)


def larger(a: Vector, b: Vector) -> Vector:
    """Likewise."""
    return _pairwise(a, b.to(a.unit), max, a.unit)


def multiply(a: Vector, b: Vector) -> Vector:
    """Pair by pair; the units multiply too."""
    return _pairwise(a, b, lambda x, y: x * y, a.unit * b.unit)


def divide(a: Vector, b: Vector) -> Vector:
    """Pair by pair; a zero below is an error."""
    if 0 in b.samples:
        raise QuantityError("a division by zero")
    return _pairwise(a, b, lambda x, y: x / y, a.unit / b.unit)


def power(a: Vector, b: Vector) -> Vector:
    """To a single plain number, which the unit is raised to as well."""
    exponent = b.to(unit(""))
    if len(exponent.samples) != 1:
        raise QuantityError("an exponent is a single number")
    by = exponent.samples[0]
    if abs(by) > _HIGHEST_POWER:
        raise QuantityError(f"an exponent is between -{_HIGHEST_POWER} and {_HIGHEST_POWER}")
    if by < 0 and 0 in a.samples:
        raise QuantityError("a division by zero")
    if by != int(by) and min(a.samples) < 0:
        raise QuantityError("a root of a negative number")
    of = a.unit**by
    if highest_power(of) > _HIGHEST_POWER:
        raise QuantityError(f"a unit to a power above {_HIGHEST_POWER}")
    try:
        return _made(tuple(s**by for s in a.samples), of)
    except OverflowError as error:
        raise QuantityError(_BEYOND) from error


def each(vector: Vector, function: Callable[[float], float], plain: bool = False) -> Vector:
    """``function`` of every sample; ``plain`` wants a number without a unit."""
    vector = vector.to(unit("")) if plain else vector
    try:
        return _made(tuple(function(s) for s in vector.samples), vector.unit)
    except ValueError as error:
        raise QuantityError(str(error)) from error


def reduce(vector: Vector, function: Callable[[Sequence[float]], float]) -> Vector:
    """One sample made from all of them, in the same unit."""
    return _made((function(vector.samples),), vector.unit)


def _pairwise(a: Vector, b: Vector, function: Callable[[float, float], float], of: Any) -> Vector:
    x, y = a.samples, b.samples
    if len(x) != len(y):
        if len(y) == 1:
            y *= len(x)
        elif len(x) == 1:
            x *= len(y)
        else:
            lengths = f"{len(x)} and {len(y)} samples do not pair"
            raise QuantityError(f"{lengths}: reduce one with median()")
    try:
        return _made(tuple(map(function, x, y)), of)
    except OverflowError as error:
        raise QuantityError(_BEYOND) from error


def _made(samples: tuple[float, ...], of: Any) -> Vector:
    if not _bounded(samples):
        raise QuantityError(_BEYOND)
    return Vector(samples, of)


def _bounded(samples: Sequence[float]) -> bool:
    """Whether all are finite, and small enough to be computed with."""
    return all(-LARGEST < s < LARGEST for s in samples)
