"""Plots of samples: for each machine a strip of dots over a box, all on one axis.

A plot is inline SVG, made during the build. It has no colours and no styles of its own. Its classes
and the colour of the text make it readable on light and dark pages and in print.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from perfnotes.model.quantity.amount import digits, scale_of, with_unit
from perfnotes.model.quantity.vector import Spread
from perfnotes.site.render.markup import escape

_WIDTH, _ROW, _TOP, _AXIS, _SIDE = 480, 46, 6, 34, 14
_MOST_DOTS = 120
_LOG_FROM = 25.0  # the axis is logarithmic if its ends have at least this ratio


@dataclass(frozen=True)
class Strip:
    """One machine's samples; ``control`` is the median of the control's samples."""

    name: str
    samples: Sequence[float]
    spread: Spread
    control: float | None = None

    @property
    def drawn(self) -> list[float]:
        """The sorted samples; of more than 120, evenly chosen ones."""
        s = sorted(self.samples)
        if len(s) <= _MOST_DOTS:
            return s
        step = (len(s) - 1) / (_MOST_DOTS - 1)
        return [s[round(i * step)] for i in range(_MOST_DOTS)]


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    log: bool

    def x(self, value: float) -> float:
        """Return the x coordinate of a value; a value outside of the axis is put at its end."""
        a, b, v = (self._on(each) for each in (self.low, self.high, value))
        share = min(1.0, max(0.0, (v - a) / (b - a)))
        return round(_SIDE + share * (_WIDTH - 2 * _SIDE), 1)

    def _on(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.log else value

    def ticks(self) -> list[float]:
        if self.log:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            step = max(1, (last - first) // 6)
            tens = [10.0**e for e in range(first, last + 1, step)]
            return [t for t in tens if self.low <= t <= self.high]
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        wide = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
        first = math.ceil(self.low / wide - 1e-9)
        count = math.floor(self.high / wide + 1e-9) - first
        return [float(f"{(first + i) * wide:.12g}") for i in range(count + 1)]


def strip_plot(drawing: Drawing, *, id: str, title: str, description: str) -> str:
    """Return a drawing with its words as an ``<svg>``. ``id`` must be unique on the page."""
    return (
        f'<svg class="pn-plot" viewBox="0 0 {_WIDTH} {drawing.height}" role="img" '
        f'aria-labelledby="{id}-t {id}-d"><title id="{id}-t">{escape(title)}</title>'
        f'<desc id="{id}-d">{escape(description)}</desc>{drawing.shapes}</svg>'
    )


@dataclass(frozen=True)
class Drawing:
    """A plot without its title and description, the same in every language: SVG of ``height``."""

    shapes: str
    height: int


def draw(strips: Sequence[Strip], unit: str, expected: tuple[float, float] | None) -> Drawing:
    """Draw the strips of samples. ``expected`` is the range to shade, in the samples' ``unit``."""
    ends = [v for s in strips for v in (s.spread.min, s.spread.max)]
    by, unit = scale_of(max(ends, key=abs), unit)
    axis = _axis(strips, expected)
    height = _TOP + _ROW * len(strips) + _AXIS
    bottom = height - _AXIS
    parts = []
    if expected:
        x1, x2 = axis.x(expected[0]), axis.x(expected[1])
        if x2 - x1 < 3:
            x1, x2 = x1 - 1.5, x1 + 1.5
        parts.append(
            f'<rect class="pn-plot-expected" x="{x1:.1f}" y="0" '
            f'width="{x2 - x1:.1f}" height="{bottom}"/>'
        )
    for i, strip in enumerate(strips):
        parts.append(_strip(strip, axis, _TOP + i * _ROW))
    parts.append(_scale(axis, bottom, by, unit))
    return Drawing("".join(parts), height)


def _axis(strips: Sequence[Strip], expected: tuple[float, float] | None) -> _Axis:
    values = [v for s in strips for v in (s.spread.min, s.spread.max)]
    values += [s.control for s in strips if s.control is not None]
    low, high = min(values), max(values)
    room = (high - low) or abs(high) or 1.0
    for bound in expected or ():
        # An axis up to a bound far from all samples would squeeze the samples together. The shaded
        # range ends at the edge of the plot instead.
        if math.isfinite(bound) and low - 2 * room <= bound <= high + 2 * room:
            low, high = min(low, bound), max(high, bound)
    if low > 0 and high / low >= _LOG_FROM:
        return _Axis(low / 1.3, high * 1.3, True)
    pad = ((high - low) or abs(high) or 1.0) * 0.06
    begin = low - pad
    return _Axis(0.0 if low >= 0 > begin else begin, high + pad, False)


def _strip(strip: Strip, axis: _Axis, top: float) -> str:
    middle = top + 30
    s = strip.spread
    x = {name: axis.x(getattr(s, name)) for name in ("low", "high", "min", "max", "median")}
    parts = [
        f'<text class="pn-plot-name" x="{_SIDE}" y="{top + 12}">{escape(strip.name)}</text>',
        f'<line x1="{x["min"]}" y1="{middle}" x2="{x["max"]}" y2="{middle}"/>',
    ]
    if s.n > 1:
        width = max(1.0, x["high"] - x["low"])
        parts.append(
            f'<rect class="pn-plot-box" x="{x["low"]}" y="{middle - 9}" '
            f'width="{width:.1f}" height="18"/>'
        )
    for i, value in enumerate(strip.drawn):
        away = (i * 5 % 11 - 5) * 1.1 if s.n > 1 else 0
        parts.append(f'<circle cx="{axis.x(value)}" cy="{middle + away:.1f}" r="2.4"/>')
    parts.append(
        f'<line class="pn-plot-median" x1="{x["median"]}" y1="{middle - 11}" '
        f'x2="{x["median"]}" y2="{middle + 11}"/>'
    )
    if strip.control is not None:
        at = axis.x(strip.control)
        parts.append(f'<path d="M{at} {middle - 6}l6 6-6 6-6-6z"/>')
    return f"<g>{''.join(parts)}</g>"


def _scale(axis: _Axis, bottom: float, by: float, unit: str) -> str:
    parts = [f'<line x1="{_SIDE}" y1="{bottom}" x2="{_WIDTH - _SIDE}" y2="{bottom}"/>']
    for tick in axis.ticks():
        at = axis.x(tick)
        label = with_unit(_label(tick * by), unit if unit in ("×", "%") else "")
        anchor = "start" if at < 30 else "end" if at > _WIDTH - 30 else "middle"
        parts.append(
            f'<line x1="{at}" y1="{bottom}" x2="{at}" y2="{bottom + 4}"/>'
            f'<text x="{at}" y="{bottom + 16}" text-anchor="{anchor}">{escape(label)}</text>'
        )
    if unit not in ("", "×", "%"):
        parts.append(
            f'<text x="{_WIDTH - _SIDE}" y="{bottom + 30}" text-anchor="end">{escape(unit)}</text>'
        )
    return f'<g class="pn-plot-axis">{"".join(parts)}</g>'


def _label(value: float) -> str:
    rounded = float(f"{value:.6g}")
    if rounded == int(rounded) or not 1e-4 <= abs(rounded) < 1e15:
        return digits(rounded, 2)
    return f"{rounded:g}"
