"""Checks whether a plot of ``lab.yml`` can be drawn, and returns the data of one that can."""

from __future__ import annotations

from perfnotes.model.lab import Lab
from perfnotes.model.library import Library
from perfnotes.model.plot import MOST_POINTS, Plot
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.plots.data import PlotData, PlotError, is_bytes, plot_data
from perfnotes.plots.kinds import kinds
from perfnotes.text.nearest import nearest


def checked_plot_data(plot: Plot, lab: Lab, library: Library) -> PlotData:
    """Return the data of a plot. Raises ``PlotError`` if the plot cannot be drawn."""
    _check(plot)
    return plot_data(plot, lab, library)


def _check(plot: Plot) -> None:
    kind = kinds().get(plot.kind)
    if kind is None:
        guess = nearest(plot.kind, kinds(), 0.6)
        hint = f"did you mean {guess}?" if guess else f"there are {', '.join(kinds())}"
        raise PlotError(f"{plot.id}: no kind of plot is called {plot.kind!r}", hint, plot.place)
    if sum(1 for _ in plot.points) > MOST_POINTS:
        message = f"{plot.id}: a plot has at most {MOST_POINTS} values"
        raise PlotError(message, "make two plots", plot.place)
    if kind.AXIS:
        _check_parameter(plot)
    elif plot.parameter or plot.marks or plot.caches:
        message = f"{plot.id}: {plot.kind} has no x axis, so x and marks mean nothing"
        raise PlotError(message, "remove them, or use kind: line", plot.place)
    else:
        for point in plot.points:
            if point.at is not None:
                message = f"{plot.id}: {plot.kind} needs words for {point.value}, not a number"
                raise PlotError(message, "write {en: ..., zh: ...}", point.place)


def _check_parameter(plot: Plot) -> None:
    if plot.parameter is None:
        message = f"{plot.id}: {plot.kind} needs x, the parameter that was varied"
        raise PlotError(message, "write x: {what: ..., unit: ...}", plot.place)
    try:
        unit(plot.parameter.unit)
    except UnitError as error:
        raise PlotError(
            f"{plot.id}: {error}", "mend the unit of x", plot.parameter.place
        ) from error
    if plot.caches and not is_bytes(plot.parameter.unit):
        message = f"{plot.id}: sizes of caches can be marked only if x is in bytes, KiB or the like"
        raise PlotError(message, "remove marks: caches", plot.place)
    for point in plot.points:
        if point.at is None:
            message = f"{plot.id}: {plot.kind} needs a number for {point.value}: its place on x"
            raise PlotError(message, f"write {point.value}: 64", point.place)
