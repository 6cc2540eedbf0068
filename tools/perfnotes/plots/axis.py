"""An axis: where a number lies in a drawing, and which numbers are written beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from perfnotes.model.quantity.amount import digits, memory

LOG_RATIO = 25.0
"""An axis is logarithmic if its numbers are positive and largest / smallest is at least this."""

_MOST_TICKS = 7


class Axis(Struct, frozen=True):
    """Maps numbers from ``low`` to ``high`` to coordinates from ``start`` to ``end``.

    ``factor`` converts a number into the unit of the labels. A ``binary`` axis is one of sizes in
    bytes; its labels are at powers of two or, if it is linear, at equal steps of such a power.
    """

    low: float
    high: float
    log: bool
    start: float
    end: float
    factor: float = 1.0
    binary: bool = False

    def at(self, value: float) -> float:
        """Return the coordinate of a number; one outside of the axis gets the nearer end."""
        low, high, place = (self._scaled(each) for each in (self.low, self.high, value))
        share = min(1.0, max(0.0, (place - low) / (high - low)))
        return self.start + share * (self.end - self.start)

    def _scaled(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.log else value

    def ticks(self) -> list[tuple[float, str]]:
        """Return the numbers that are written beside the axis, each with its label."""
        if self.binary:
            return [(value, memory(round(value))) for value in self._powers_of_two()]
        if self.log:
            return [(value, _label(value * self.factor)) for value in self._parts_of_decades()]
        return [(value, _label(value * self.factor)) for value in self._round_steps()]

    def _powers_of_two(self) -> list[float]:
        if not self.log:
            step = 2.0 ** max(0, math.ceil(math.log2((self.high - self.low) / 4)))
            return self._multiples(step)
        first, last = math.ceil(math.log2(self.low)), math.floor(math.log2(self.high))
        step = next(
            s for s in (1, 2, 4, 5, 10, 20, 100, 400) if (last - first) // s < _MOST_TICKS - 1
        )
        first = -(-first // step) * step
        return [2.0**power for power in range(first, last + 1, step)]

    def _parts_of_decades(self) -> list[float]:
        low, high = self.low * self.factor, self.high * self.factor
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        step = max(1, (last - first) // (_MOST_TICKS - 1))
        for parts in ((1,), (1, 3), (1, 2, 5)):
            found = [
                m * 10.0**power
                for power in range(first, last + 1, step)
                for m in parts
                if low <= m * 10.0**power <= high
            ]
            if len(found) > 2 or step > 1:
                break
        return [value / self.factor for value in found]

    def _round_steps(self) -> list[float]:
        low, high = self.low * self.factor, self.high * self.factor
        rough = (high - low) / 4
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
        return self._multiples(step)

    def _multiples(self, step: float) -> list[float]:
        """Return the numbers on the axis whose labels are multiples of ``step``."""
        low, high = self.low * self.factor, self.high * self.factor
        first = math.ceil(low / step - 1e-9)
        count = math.floor(high / step + 1e-9) - first
        return [float(f"{(first + i) * step:.12g}") / self.factor for i in range(count + 1)]


def axis_of(
    numbers: Iterable[float], start: float, end: float, *, factor: float = 1.0, zero: bool = False
) -> Axis:
    """Return an axis for measured numbers, of which there must be at least one.

    It is logarithmic if ``LOG_RATIO`` says so and ``zero`` is not set. A linear axis reaches zero.
    """
    all_numbers = list(numbers)
    low, high = min(all_numbers), max(all_numbers)
    if not zero and low > 0 and high / low >= LOG_RATIO:
        return Axis(low / 1.25, high * 1.25, True, start, end, factor)
    if low < 0:
        room = (high - low) * 0.06 or 1.0
        return Axis(low - room, max(high, 0.0) + room, False, start, end, factor)
    return Axis(0.0, high * 1.04 or 1.0, False, start, end, factor)


def parameter_axis(places: list[float], start: float, end: float, *, binary: bool) -> Axis:
    """Return the x axis for the sorted values of a parameter, at which something was measured."""
    low, high = places[0], places[-1]
    if low == high:
        room = max(1.0, abs(low) / 2)
        return Axis(low - room, high + room, False, start, end, binary=binary)
    if low > 0 and high / low >= LOG_RATIO:
        return Axis(low, high, True, start, end, binary=binary)
    return Axis(min(low, 0.0) if low < high / 2 else low, high, False, start, end, binary=binary)


def _label(value: float) -> str:
    rounded = float(f"{value:.6g}")
    if rounded == int(rounded) or not 1e-4 <= abs(rounded) < 1e15:
        return digits(rounded, 2)
    return f"{rounded:g}"
