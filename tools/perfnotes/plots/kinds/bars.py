"""Bars from zero, with the number at the right: for counts and other single numbers."""

from __future__ import annotations

from perfnotes.plots.axis import axis_of
from perfnotes.plots.data import Measure, Panel, PlotData
from perfnotes.plots.dots import LEFT, RIGHT
from perfnotes.plots.kinds._rows import Rows
from perfnotes.plots.shapes import Drawing, box, line

AXIS = False
_TRACK = 12


def draw(data: PlotData, panel: Panel, lang: str) -> Drawing:
    """Draw a bar from zero for each point."""
    axis = axis_of(data.numbers, LEFT, RIGHT, zero=True)
    rows = Rows(data, panel, lang, _TRACK)

    def row(measure: Measure, middle: float, series: int) -> None:
        del series
        zero, end = axis.at(0.0), axis.at(measure.spread.median)
        wide = abs(end - zero)
        if wide:
            rows.shapes.append(
                box(min(zero, end), middle - _TRACK / 2, max(1.0, wide), _TRACK, "pn-c-bar")
            )
        rows.shapes.append(line(zero, middle - 9, zero, middle + 9, "pn-c-axis"))

    rows.draw(axis, row, ticks=False)
    return rows.drawing()
