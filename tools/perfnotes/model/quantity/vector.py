"""A Vector: samples of one quantity with its unit, and arithmetic on them, sample by sample.

All functions raise ``QuantityError`` if a result cannot be computed or is too large, and
``UnitError`` if units do not convert.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from msgspec import Struct

from perfnotes.model.quantity.units import (
    LARGEST,
    Unit,
    UnitError,
    factor,
    highest_power,
    name,
    unit,
)

_HIGHEST_POWER = 64
_TOO_LARGE = "a number is too large to compute with"


class QuantityError(ValueError):
    """An operation cannot be computed: lengths differ, a division by zero, an overflow."""


class Vector(Struct, frozen=True):
    """Samples in the order in which they were taken. A single number is a vector of length 1."""

    samples: tuple[float, ...]
    unit: Unit

    def to(self, target: Unit) -> Vector:
        """Convert the samples to another unit; ``UnitError`` if that is not possible."""
        by = factor(self.unit, target)
        samples = tuple(s * by for s in self.samples)
        if not _all_bounded(samples):
            raise UnitError(f"a number is too large in {name(target)}")
        return Vector(samples, target)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


class Spread(Struct, frozen=True):
    """Median, quartiles (``low`` and ``high``) and extremes of ``n`` samples.

    The numbers are in the unit of the vector. The unit itself is left out, because a ``Unit`` keeps
    a hash that is wrong in any other process, so it cannot be stored.
    """

    median: float
    low: float
    high: float
    min: float
    max: float
    n: int


def spread(vector: Vector) -> Spread:
    """Return median, quartiles and extremes of a vector's samples.

    The quartiles come from the "inclusive" method of ``statistics.quantiles``, which interpolates
    between the samples and never beyond the lowest and highest one.
    """
    s = sorted(vector.samples)
    if len(s) > 1:
        low, _, high = statistics.quantiles(s, n=4, method="inclusive")
    else:
        low = high = s[0]
    return Spread(statistics.median(s), low, high, s[0], s[-1], len(s))


def number(value: float, of: str = "") -> Vector:
    """Return a vector of one number, in the unit that ``of`` names."""
    return _checked((float(value),), unit(of))


def add(a: Vector, b: Vector) -> Vector:
    """Add sample by sample, in the unit of ``a``."""
    return _pairwise(a, b.to(a.unit), lambda x, y: x + y, a.unit)


def subtract(a: Vector, b: Vector) -> Vector:
    """Subtract sample by sample, in the unit of ``a``."""
    return _pairwise(a, b.to(a.unit), lambda x, y: x - y, a.unit)


def smaller(a: Vector, b: Vector) -> Vector:
    """Take the smaller one of each pair of samples, in the unit of ``a``."""
    return _pairwise(a, b.to(a.unit), min, a.unit)


def larger(a: Vector, b: Vector) -> Vector:
    """Take the larger one of each pair of samples, in the unit of ``a``."""
    return _pairwise(a, b.to(a.unit), max, a.unit)


def multiply(a: Vector, b: Vector) -> Vector:
    """Multiply sample by sample; the units are multiplied too."""
    return _pairwise(a, b, lambda x, y: x * y, a.unit * b.unit)


def divide(a: Vector, b: Vector) -> Vector:
    """Divide sample by sample; the units are divided too. A zero in ``b`` is an error."""
    if 0 in b.samples:
        raise QuantityError("a division by zero")
    return _pairwise(a, b, lambda x, y: x / y, a.unit / b.unit)


def power(a: Vector, b: Vector) -> Vector:
    """Raise every sample and the unit to the power ``b``, which is a single number without unit."""
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
        return _checked(tuple(s**by for s in a.samples), of)
    except OverflowError as error:
        raise QuantityError(_TOO_LARGE) from error


def map_samples(
    vector: Vector, function: Callable[[float], float], *, plain: bool = False
) -> Vector:
    """Apply ``function`` to every sample, in the same unit.

    With ``plain``, the samples are converted to plain numbers first.
    """
    vector = vector.to(unit("")) if plain else vector
    try:
        return _checked(tuple(function(s) for s in vector.samples), vector.unit)
    except ValueError as error:
        raise QuantityError(str(error)) from error


def reduce_samples(vector: Vector, function: Callable[[Sequence[float]], float]) -> Vector:
    """Return a vector of one number, computed from all samples, in the same unit."""
    return _checked((function(vector.samples),), vector.unit)


def _pairwise(a: Vector, b: Vector, function: Callable[[float, float], float], of: Unit) -> Vector:
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
        return _checked(tuple(map(function, x, y)), of)
    except OverflowError as error:
        raise QuantityError(_TOO_LARGE) from error


def _checked(samples: tuple[float, ...], of: Unit) -> Vector:
    """Return the vector of these samples; ``QuantityError`` if one is too large or not finite."""
    if not _all_bounded(samples):
        raise QuantityError(_TOO_LARGE)
    return Vector(samples, of)


def _all_bounded(samples: Sequence[float]) -> bool:
    """Whether all samples are finite and small enough to compute with."""
    return all(-LARGEST < s < LARGEST for s in samples)
