"""Every sample as a dot, a row for each point: before and after, one variant beside another."""

from __future__ import annotations

from perfnotes.plots.axis import axis_of
from perfnotes.plots.data import Measure, Panel, PlotData
from perfnotes.plots.dots import LEFT, RIGHT, dots
from perfnotes.plots.kinds._rows import Rows
from perfnotes.plots.shapes import Drawing

AXIS = False


def draw(data: PlotData, panel: Panel, lang: str) -> Drawing:
    """Draw a row of dots for each point."""
    axis = axis_of(data.numbers, LEFT, RIGHT, factor=data.shown_unit[0])
    rows = Rows(data, panel, lang, 22)

    def row(measure: Measure, middle: float, series: int) -> None:
        del series
        rows.shapes.append(dots(measure.samples, measure.spread, axis, middle))

    rows.draw(axis, row, ticks=True)
    return rows.drawing()
