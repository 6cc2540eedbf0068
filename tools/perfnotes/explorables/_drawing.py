"""Drawing in SVG: elements with attributes, and coordinates rounded as the scripts round them.

Elements have classes and no colours. The style sheet gives colours to classes, for the light and
the dark scheme.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape

Attributes = Mapping[str, str | float]
"""The attributes of an element. ``text`` is its content."""
Element = tuple[str, Attributes]


def at(value: float) -> float:
    """Round a coordinate to a tenth, as ``Math.round`` does."""
    return math.floor(value * 10 + 0.5) / 10


def element(tag: str, attributes: Attributes) -> str:
    """Return one element as SVG."""
    given = " ".join(
        f'{name}="{escape(_written(value))}"'
        for name, value in attributes.items()
        if name != "text"
    )
    return f"<{tag} {given}>{escape(_written(attributes.get('text', '')))}</{tag}>"


def label(x: float, y: float, text: str, anchor: str = "") -> str:
    """Return words that start at a place, or have their ``middle`` or ``end`` there."""
    extra = {"text-anchor": anchor} if anchor else {}
    return element("text", {"x": at(x), "y": at(y), **extra, "text": text})


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a line between two points."""
    ends = {"x1": at(x1), "y1": at(y1), "x2": at(x2), "y2": at(y2)}
    return element("line", {"class": kind, **ends})


def box(kind: str, x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle."""
    size = {"width": at(width), "height": at(height)}
    return element("rect", {"class": kind, "x": at(x), "y": at(y), **size})


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return the attribute ``d`` of a path with straight lines through the points."""
    return "M" + "L".join(f"{_written(at(x))} {_written(at(y))}" for x, y in points)


def log_place(value: float, low: float, high: float, start: float, end: float) -> float:
    """Return where a value is on a log axis with ``low`` at ``start`` and ``high`` at ``end``."""
    return start + (math.log2(value / low) / math.log2(high / low)) * (end - start)


def _written(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.10g}"
