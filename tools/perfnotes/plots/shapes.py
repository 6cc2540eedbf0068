"""Shapes and words of a drawing, as SVG. All words are escaped here.

A drawing is ``WIDTH`` units wide. On a phone of 390 pixels it is shown about 0.8 times as wide, so
words are laid out as if ``EM`` were their size. Larger screens set them smaller (``plot.css``).
"""

from __future__ import annotations

from html import escape

from msgspec import Struct

from perfnotes.text.wrap import width, wrap

WIDTH = 440
EM = 14.5
LINE = 18
COLOURS = 5


class Drawing(Struct, frozen=True):
    """The shapes of one panel and its height."""

    shapes: str
    height: float


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, *, anchor: str = "", kind: str = "") -> str:
    """Return words whose baseline is at ``y``. ``anchor`` is empty, ``middle`` or ``end``.

    A fraction of a unit would move no word by a pixel, so ``x`` is rounded.
    """
    at = f' text-anchor="{anchor}"' if anchor else ""
    of = f' class="{kind}"' if kind else ""
    return f'<text{of} x="{x:.0f}" y="{number(y)}"{at}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line of the CSS class ``kind``."""
    ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line class="{kind}" {ends}/>'


def box(x: float, y: float, wide: float, high: float, kind: str) -> str:
    """Return a rectangle of the CSS class ``kind``."""
    size = f'width="{number(wide)}" height="{number(high)}"'
    return f'<rect class="{kind}" x="{number(x)}" y="{number(y)}" {size}/>'


def path(points: list[tuple[float, float]], kind: str) -> str:
    """Return the line through ``points``."""
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path class="{kind}" d="M{steps}"/>'


_SIGNS = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-3.6-3.6h7.2v7.2h-7.2z",
    "m0-4.8 4.6 8h-9.2z",
    "m0-5 5 5-5 5-5-5z",
    "m0 4.8-4.6-8h9.2z",
)


def sign(x: float, y: float, series: int) -> str:
    """Return the sign of a series: each has its own shape besides its own colour."""
    i = series % COLOURS
    return f'<path class="pn-c-sign pn-c-{i + 1}" d="M{number(x)} {number(y)}{_SIGNS[i]}"/>'


def words_width(words: str) -> float:
    """Return how wide words are at most."""
    return width(words) * EM


def lines_of(words: str, wide: float, most: int = 3) -> list[str]:
    """Break words into lines of at most ``wide`` units."""
    return wrap(words, wide / EM, most)
