"""The data of a plot: for each machine with results, the samples of every point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from perfnotes.model.bilingual import Bilingual
from perfnotes.model.lab import Lab, Value
from perfnotes.model.library import Library
from perfnotes.model.machine import Machine
from perfnotes.model.plot import Plot, Point
from perfnotes.model.quantity.amount import amount, memory, scale_of
from perfnotes.model.quantity.expression import ExpressionError
from perfnotes.model.quantity.units import UnitError, factor, unit
from perfnotes.model.quantity.vector import Spread, spread
from perfnotes.model.verdict import lookup_of
from perfnotes.text.nearest import nearest

MOST_PANELS = 4
"""How many machines one plot shows. The tables of the lab's page have all of them."""

_CACHES = ("L1d", "L2", "L3")


class PlotFault(Struct, frozen=True):
    """Why a plot cannot be drawn. ``place`` is an offset in ``lab.yml``."""

    message: str
    hint: str
    place: int


class PlotError(Exception):
    """A plot cannot be drawn; ``fault`` says why."""

    def __init__(self, message: str, hint: str, place: int) -> None:
        super().__init__(message)
        self.fault = PlotFault(message, hint, place)


class Measure(Struct, frozen=True):
    """A point of a plot with its samples on one machine, in the plot's unit.

    ``label`` names the point. ``at`` is its place on the x axis, or None if the kind of plot has
    no such axis. ``own_factor`` converts to the unit of the value, in which the number is written.
    """

    lab: Lab
    value: Value
    label: Bilingual
    at: float | None
    spread: Spread
    samples: tuple[float, ...]
    own_factor: float = 1.0

    @property
    def shown(self) -> str:
        """The median in the value's own unit: a whole number from 1,000 on, else three digits."""
        value = self.spread.median * self.own_factor
        rounded = float(round(value)) if abs(value) >= 1000 else float(f"{value:.3g}")
        return amount(rounded, self.value.unit, 3)


class Group(Struct, frozen=True):
    """The measured points of one series. Points without samples on the machine are left out."""

    name: Bilingual | None
    measures: tuple[Measure, ...]


class Panel(Struct, frozen=True):
    """The part of a plot that shows one machine.

    ``marks`` are words and their places on the x axis. ``limit`` is drawn as a line.
    """

    machine: Machine
    groups: tuple[Group, ...]
    marks: tuple[tuple[Bilingual, float], ...] = ()
    limit: Measure | None = None

    @property
    def measures(self) -> Iterator[Measure]:
        """The measured points of all series."""
        for group in self.groups:
            yield from group.measures


class PlotData(Struct, frozen=True):
    """A plot with its panels; the panel of the reference machine is the first.

    Measured numbers are in ``unit``. If the parameter on the x axis is a size in KiB or the like,
    its values are converted to bytes.
    """

    lab: Lab
    plot: Plot
    unit: str
    panels: tuple[Panel, ...]

    @property
    def in_bytes(self) -> bool:
        """Whether the x axis is an axis of sizes in bytes."""
        return self.plot.parameter is not None and is_bytes(self.plot.parameter.unit)

    @property
    def shown_unit(self) -> tuple[float, str]:
        """The factor and the unit in which the axis of measured numbers is labelled."""
        return scale_of(max((abs(n) for n in self.numbers), default=0.0), self.unit)

    @property
    def numbers(self) -> Iterator[float]:
        """The smallest and largest sample of each point, and the limits; panels share axes."""
        for panel in self.panels:
            for each in panel.measures:
                yield from (each.spread.min, each.spread.max)
            if panel.limit:
                yield panel.limit.spread.median

    @property
    def places(self) -> list[float]:
        """All places on the x axis, sorted."""
        found = {m.at for panel in self.panels for m in panel.measures if m.at is not None}
        return sorted(found)


@cache
def is_bytes(name: str) -> bool:
    """Return whether a unit measures bytes, such as B, kB or MiB."""
    try:
        factor(unit(name), unit("B"))
    except UnitError:
        return False
    return True


def plot_data(plot: Plot, lab: Lab, library: Library) -> PlotData:
    """Return the plot's data.

    Raises ``PlotError`` if the reference machine lacks samples of a point, if a point names no
    value, or if units do not fit. On other machines, points without samples are left out.
    """
    points = [_resolved(plot, lab, point, library) for point in plot.points]
    plot_unit = points[0].value.unit
    if plot.limit:
        points.append(_resolved(plot, lab, plot.limit, library))
    results = library.results.get(lab.id, {})
    if lab.reference not in results:
        message = f"{plot.id}: the lab has no result of its reference machine"
        raise PlotError(message, f"run: perfnotes lab record {lab.id}", plot.place)
    panels = []
    for id in (lab.reference, *sorted(set(results) - {lab.reference})):
        strict = id == lab.reference
        found = {
            each.point.value: _measure(plot, each, id, library, plot_unit, strict=strict)
            for each in points
        }
        panel = _panel(plot, results[id].machine, found)
        if any(panel.measures):
            panels.append(panel)
    return PlotData(lab, plot, plot_unit, tuple(panels[:MOST_PANELS]))


class _ResolvedPoint(Struct, frozen=True):
    """A point with the value that it names, and that value's lab."""

    point: Point
    lab: Lab
    value: Value


def _resolved(plot: Plot, lab: Lab, point: Point, library: Library) -> _ResolvedPoint:
    """Find the value that a point names: one of the plot's lab, or ``topic/note#value``."""
    note, sign, id = point.value.rpartition("#")
    named = library.labs.get(note) if sign else lab
    if named is None:
        message = f"{plot.id}: no lab belongs to a note {note!r}"
        raise PlotError(message, "write topic/note#value, or a value of this lab", point.place)
    if id not in named.shown:
        guess = nearest(id, named.shown, 0.6)
        known = ", ".join(sorted(named.shown)[:12])
        hint = f"did you mean {guess}?" if guess else f"there are {known}"
        where = f"the lab of {note}" if sign else "the lab"
        raise PlotError(f"{plot.id}: {where} has no claim or value {id!r}", hint, point.place)
    return _ResolvedPoint(point, named, named.shown[id])


def _panel(plot: Plot, machine: Machine, found: Mapping[str, Measure | None]) -> Panel:
    groups = []
    for series in plot.series:
        measures = [m for m in (found[point.value] for point in series.points) if m]
        if measures:
            groups.append(Group(series.name, tuple(measures)))
    limit = found[plot.limit.value] if plot.limit else None
    return Panel(machine, tuple(groups), _marks(plot, machine), limit)


def _measure(
    plot: Plot,
    named: _ResolvedPoint,
    machine: str,
    library: Library,
    plot_unit: str,
    *,
    strict: bool,
) -> Measure | None:
    """Return the samples of a point on ``machine``, converted to ``plot_unit``.

    If there are none, returns None, or raises ``PlotError`` if ``strict``. Raises ``PlotError`` if
    the value does not convert.
    """
    point, lab, value = named.point, named.lab, named.value
    result = library.results.get(lab.id, {}).get(machine)
    try:
        vector = value.expression.evaluate(lookup_of(lab, result)).to(unit(plot_unit))
        own_factor = factor(unit(plot_unit), unit(value.unit))
    except ExpressionError as error:
        if not strict:
            return None
        message = f"{plot.id}: {value.id} has no samples on {machine}: {error}"
        hint = f"run: {library.record_command(lab, machine)}, or leave it out of the plot"
        raise PlotError(message, hint, point.place) from error
    except UnitError as error:
        units = f"in {value.unit or 'no unit'}, the plot's first value in {plot_unit or 'no unit'}"
        message = f"{plot.id}: {value.id} is {units}"
        raise PlotError(message, "make a second plot for the other unit", point.place) from error
    label = point.label or value.what
    at = _place(plot, point)
    return Measure(lab, value, label, at, spread(vector), vector.samples, own_factor)


def _place(plot: Plot, point: Point) -> float | None:
    if point.at is None or plot.parameter is None:
        return point.at
    return _in_bytes(point.at, plot.parameter.unit)


def _in_bytes(at: float, parameter_unit: str) -> float:
    """Return a value of the parameter, in bytes if it is a size."""
    return at * factor(unit(parameter_unit), unit("B")) if is_bytes(parameter_unit) else at


def _marks(plot: Plot, machine: Machine) -> tuple[tuple[Bilingual, float], ...]:
    parameter_unit = plot.parameter.unit if plot.parameter else ""
    marks = [(mark.what, _in_bytes(mark.at, parameter_unit)) for mark in plot.marks]
    if plot.caches:
        for name in _CACHES:
            size = machine.caches.get(name, {}).get("size", 0)
            if size > 0:
                marks.append((Bilingual(f"{name} {memory(size)}"), float(size)))
    return tuple(marks)
