"""Shapes and words of a drawing, as SVG. All words are escaped here.

A drawing is ``WIDTH`` units wide. On a phone of 390 pixels it is shown about 0.8 times as wide, so
words are laid out as if ``EM`` were their size. Larger screens set them smaller (``plot.css``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from msgspec import Struct

from perfnotes.text.wrap import width, wrap

WIDTH = 440
EM = 14.5
LINE_HEIGHT = 18
COLOURS = 5
"""How many series have a colour and a marker of their own; ``plot.css`` has the colours."""


class Drawing(Struct, frozen=True):
    """The shapes of one panel and its height."""

    shapes: str
    height: float


class Area(Struct, frozen=True):
    """A rectangle of a drawing."""

    left: float
    top: float
    right: float
    bottom: float


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, *, anchor: str = "", css_class: str = "") -> str:
    """Return words whose baseline is at ``y``.

    ``anchor`` is empty, ``middle`` or ``end``. ``x`` is rounded to a whole unit: a fraction of a
    unit would not move the words by a pixel.
    """
    at = f' text-anchor="{anchor}"' if anchor else ""
    of = f' class="{css_class}"' if css_class else ""
    return f'<text{of} x="{x:.0f}" y="{number(y)}"{at}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, css_class: str) -> str:
    """Return a straight line."""
    ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line class="{css_class}" {ends}/>'


def box(x: float, y: float, wide: float, high: float, css_class: str) -> str:
    """Return a rectangle."""
    size = f'width="{number(wide)}" height="{number(high)}"'
    return f'<rect class="{css_class}" x="{number(x)}" y="{number(y)}" {size}/>'


def path(points: list[tuple[float, float]], css_class: str) -> str:
    """Return the line through ``points``."""
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path class="{css_class}" d="M{steps}"/>'


def path_beside(
    areas: Sequence[Area], points: Sequence[tuple[float, float]], css_class: str
) -> str:
    """Return the line through ``points``, with a gap wherever it would cross one of ``areas``."""
    steps, last = "", None
    for (x1, y1), (x2, y2) in pairwise(points):
        for begin, end in _outside(areas, x1, y1, x2, y2):
            first, then = (
                f"{number(x1 + at * (x2 - x1))} {number(y1 + at * (y2 - y1))}"
                for at in (begin, end)
            )
            steps += f"L{then}" if first == last else f"M{first}L{then}"
            last = then
    return f'<path class="{css_class}" d="{steps}"/>'


def _outside(
    areas: Sequence[Area], x1: float, y1: float, x2: float, y2: float
) -> Iterator[tuple[float, float]]:
    """Yield the parts of a straight line outside of ``areas``, as shares of its length."""
    done = 0.0
    for begin, end in sorted(_within(each, x1, y1, x2, y2) for each in areas):
        if begin < end:
            if begin > done:
                yield done, begin
            done = max(done, end)
    if done < 1:
        yield done, 1.0


def _within(area: Area, x1: float, y1: float, x2: float, y2: float) -> tuple[float, float]:
    """Return the part of a straight line inside of ``area``, empty if both shares are the same."""
    begin, end = 0.0, 1.0
    for low, high, of, to in ((area.left, area.right, x1, x2), (area.top, area.bottom, y1, y2)):
        if of == to:
            if not low < of < high:
                return 0.0, 0.0
            continue
        enters, leaves = sorted(((low - of) / (to - of), (high - of) / (to - of)))
        begin, end = max(begin, enters), min(end, leaves)
    return (begin, end) if begin < end else (0.0, 0.0)


_MARKERS = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-3.6-3.6h7.2v7.2h-7.2z",
    "m0-4.8 4.6 8h-9.2z",
    "m0-5 5 5-5 5-5-5z",
    "m0 4.8-4.6-8h9.2z",
)


def marker(x: float, y: float, series: int) -> str:
    """Return the marker of a series. Series differ in shape as well as in colour."""
    i = series % COLOURS
    return f'<path class="pn-c-sign pn-c-{i + 1}" d="M{number(x)} {number(y)}{_MARKERS[i]}"/>'


def words_width(words: str) -> float:
    """Return how wide words are at most, in units of the drawing."""
    return width(words) * EM


def wrapped(words: str, wide: float, most: int = 3) -> list[str]:
    """Break words into at most ``most`` lines, each at most ``wide`` units long."""
    return wrap(words, wide / EM, most)
