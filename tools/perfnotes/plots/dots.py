"""Samples drawn as dots, and the axis below them, for all drawings that show samples."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from perfnotes.model.quantity.amount import with_unit
from perfnotes.model.quantity.vector import Spread
from perfnotes.plots.axis import Axis, axis_of
from perfnotes.plots.shapes import (
    EM,
    LINE_HEIGHT,
    WIDTH,
    Drawing,
    box,
    line,
    number,
    text,
    words_width,
    wrapped,
)

LEFT, RIGHT = 8, WIDTH - 12
_TRACK, _GAP, _TOP = 24, 9, 4  # heights in units of the drawing
_MOST_DOTS = 60


class Track(Struct, frozen=True):
    """Samples to draw in one row; ``label`` may be empty.

    A line marks the number ``mark``, or the median if ``mark`` is None. A diamond marks
    ``control``, the median of the claim's control.
    """

    label: str
    samples: Sequence[float]
    spread: Spread
    control: float | None = None
    mark: float | None = None


def tracks(
    rows: Sequence[Track],
    factor: float,
    unit: str,
    expected: tuple[float, float] | None = None,
    *,
    small: bool = False,
) -> Drawing:
    """Draw rows of samples on one axis, whose labels are numbers times ``factor``, in ``unit``.

    The range ``expected`` is shaded behind the dots, never behind words. A ``small`` drawing has no
    boxes, and on a linear axis it has labels only at both ends.
    """
    axis = axis_of(_numbers(rows, expected), LEFT, RIGHT, factor=factor)
    shapes: list[str] = []
    y = float(_TOP)
    for row in rows:
        for each in wrapped(row.label, RIGHT - LEFT, 2) if row.label else ():
            shapes.append(text(LEFT, y + EM, each, css_class="pn-c-label"))
            y += LINE_HEIGHT
        y += 2 if row.label else 0
        middle = y + _TRACK / 2
        if expected:
            shapes.append(_band(expected, axis, y))
        shapes.append(dots(row.samples, row.spread, axis, middle, row.mark, box_drawn=not small))
        if row.control is not None:
            at = number(axis.at(row.control))
            shapes.append(
                f'<path class="pn-c-control" d="M{at} {number(middle - 6)}l6 6-6 6-6-6z"/>'
            )
        y += _TRACK + _GAP
    bottom = y - _GAP / 2
    only_ends = small and not axis.log  # two numbers do not show that an axis is logarithmic
    shapes += (
        ends_of(axis, bottom, unit)
        if only_ends
        else ticks_of(axis, bottom, [(bottom - 4, bottom)], unit)
    )
    return Drawing("".join(shapes), bottom + LINE_HEIGHT + 4)


def _numbers(rows: Sequence[Track], expected: tuple[float, float] | None) -> list[float]:
    """Return the numbers that the axis has to reach."""
    found = [n for row in rows for n in (row.spread.min, row.spread.max)]
    found += [row.control for row in rows if row.control is not None]
    low, high = min(found), max(found)
    room = (high - low) or abs(high) or 1.0
    # An axis up to a bound far from all samples would squeeze the samples together. The shaded
    # range ends at the edge of the drawing instead.
    return found + [n for n in expected or () if low - 2 * room <= n <= high + 2 * room]


def _band(expected: tuple[float, float], axis: Axis, top: float) -> str:
    left, right = axis.at(expected[0]), axis.at(expected[1])
    if right - left < 3:
        left, right = left - 1.5, right + 1.5
    return box(left, top, right - left, _TRACK, "pn-c-expected")


def dots(
    samples: Sequence[float],
    spread: Spread,
    axis: Axis,
    middle: float,
    mark: float | None = None,
    *,
    box_drawn: bool = True,
) -> str:
    """Return every sample as a dot, the quartiles as a box, and a line at ``mark`` or the median.

    Of more than ``_MOST_DOTS`` samples, evenly chosen ones are drawn.
    """
    parts = []
    if spread.n > 1 and box_drawn:
        low, high = axis.at(spread.low), axis.at(spread.high)
        parts.append(box(low, middle - 8, max(1.0, high - low), 16, "pn-c-box"))
    drawn = sorted(samples)
    if len(drawn) > _MOST_DOTS:
        step = (len(drawn) - 1) / (_MOST_DOTS - 1)
        drawn = [drawn[round(i * step)] for i in range(_MOST_DOTS)]
    parts.append(f'<path class="pn-c-dots" d="{_scattered([axis.at(v) for v in drawn], middle)}"/>')
    at = axis.at(spread.median if mark is None else mark)
    # Rounded to a whole unit, as the dots are. On a phone, a unit is less than a pixel wide.
    parts.append(f'<path class="pn-c-median" d="M{at:.0f} {number(middle - 10)}v20"/>')
    return "".join(parts)


def _scattered(places: Sequence[float], middle: float) -> str:
    """Return a path of dots at x coordinates, spread over three lines around ``middle``.

    Relative steps of whole units need few bytes; a page may have hundreds of dots.
    """
    x = round(places[0])
    lines = (0, 5, -5) if len(places) > 1 else (0,)
    path, before = f"M{x} {number(middle)}h0", 0
    for i, place in enumerate(places[1:], start=1):
        y = lines[i % len(lines)]
        step = round(place) - x
        path += f"m{step} {y - before}h0"
        x, before = x + step, y
    return path


def ticks_of(
    axis: Axis, bottom: float, rises: Sequence[tuple[float, float]], unit: str = ""
) -> list[str]:
    """Return the axis at ``bottom`` with its numbers; the last one has the unit.

    A thin line stands over each number, in pieces: ``rises`` has the y coordinates of their ends.
    """
    parts = [line(LEFT, bottom, RIGHT, bottom, "pn-c-axis")]
    found = axis.ticks()
    taken = -EM
    for i, (value, label) in enumerate(found):
        shown = with_unit(label, unit) if i == len(found) - 1 else label
        at, half = axis.at(value), words_width(shown) / 2
        steps = "".join(f"M{number(at)} {number(top)}V{number(end)}" for top, end in rises)
        parts.append(f'<path class="pn-c-grid" d="{steps}"/>')
        x = min(max(at, LEFT + half), RIGHT - half)
        if x - half > taken:
            parts.append(text(x, bottom + EM + 3, shown, anchor="middle"))
            taken = x + half + EM / 2
    return parts


def ends_of(axis: Axis, bottom: float, unit: str) -> list[str]:
    """Return the axis at ``bottom`` with its first and its last number."""
    parts = [line(LEFT, bottom, RIGHT, bottom, "pn-c-axis")]
    found = axis.ticks()
    for i, (value, label) in enumerate(found):
        if 0 < i < len(found) - 1:
            continue
        shown = with_unit(label, unit) if i else label
        half = words_width(shown) / 2
        x = min(max(axis.at(value), LEFT + half), RIGHT - half)
        parts.append(text(x, bottom + EM + 3, shown, anchor="middle"))
    return parts
