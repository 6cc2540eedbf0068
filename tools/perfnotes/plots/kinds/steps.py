"""A row for each step of a change, with a line that joins the medians; the limit is a line too."""

from __future__ import annotations

from perfnotes.plots.axis import axis_of
from perfnotes.plots.data import Measure, Panel, PlotData
from perfnotes.plots.dots import LEFT, RIGHT, dots
from perfnotes.plots.kinds._rows import Rows
from perfnotes.plots.shapes import Drawing, path_beside

AXIS = False


def draw(data: PlotData, panel: Panel, lang: str) -> Drawing:
    """Draw a row of dots for each point, and a line through their medians, not behind words."""
    axis = axis_of(data.numbers, LEFT, RIGHT, factor=data.shown_unit[0])
    rows = Rows(data, panel, lang, 22)
    joined: dict[int, list[tuple[float, float]]] = {}

    def row(measure: Measure, middle: float, series: int) -> None:
        joined.setdefault(series, []).append((axis.at(measure.spread.median), middle))
        rows.shapes.append(dots(measure.samples, measure.spread, axis, middle))

    rows.draw(axis, row, ticks=True)
    lines = [
        path_beside(rows.word_areas, points, "pn-c-join")
        for points in joined.values()
        if len(points) > 1
    ]
    drawing = rows.drawing()
    return Drawing("".join(lines) + drawing.shapes, drawing.height)
