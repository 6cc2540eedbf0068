"""A Plot: which of a lab's values are drawn together, and how.

``lab.yml`` describes a plot under ``plots``, without measured numbers. A note shows the plot with
one line, ``[caption](plot:by-size)``.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from perfnotes.model.bilingual import Bilingual

MOST_POINTS = 60
"""How many values one plot may draw."""


class Point(Struct, frozen=True):
    """One value or claim of the lab in a plot. ``place`` is its offset in ``lab.yml``.

    ``label`` is None if the plot shows the value's own words. ``at`` is the value of the parameter
    on the x axis, or None if the plot has no x axis.
    """

    value: str
    label: Bilingual | None = None
    at: float | None = None
    place: int = 0


class Series(Struct, frozen=True):
    """Points that belong together; ``name`` is None if the plot has only one series."""

    name: Bilingual | None
    points: tuple[Point, ...]


class Parameter(Struct, frozen=True):
    """What was varied from point to point, in ``unit``."""

    what: Bilingual
    unit: str
    place: int = 0


class Mark(Struct, frozen=True):
    """A place on the x axis that the plot marks with a line; ``at`` is in the parameter's unit."""

    what: Bilingual
    at: float


class Plot(Struct, frozen=True):
    """A plot of a lab.

    ``caches`` says that the sizes of the machine's caches are marked on the x axis. ``limit`` is a
    value that is drawn as a line, such as a peak.
    """

    id: str
    kind: str
    title: Bilingual
    series: tuple[Series, ...]
    parameter: Parameter | None = None
    marks: tuple[Mark, ...] = ()
    caches: bool = False
    limit: Point | None = None
    place: int = 0

    @property
    def points(self) -> Iterator[Point]:
        """The points of all series."""
        for series in self.series:
            yield from series.points
