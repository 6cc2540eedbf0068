"""The times of the latency numbers, looked up like the bound numbers of a text."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from perfnotes.graph.binding import Found
from perfnotes.graph.evidence import Evidence
from perfnotes.model.latency import LatencyRow
from perfnotes.model.quantity.units import UnitError, factor, unit


class Time(Struct, frozen=True):
    """A row with its evidence and its time. ``why`` says why it has no time, or is empty."""

    row: LatencyRow
    found: Found
    seconds: float = 0.0
    why: str = ""
    hint: str = ""


def times(rows: Iterable[LatencyRow], evidence: Evidence) -> list[Time]:
    """Every row in the order of the file."""
    return [_time(row, evidence.find(row.address), evidence) for row in rows]


def _time(row: LatencyRow, found: Found, evidence: Evidence) -> Time:
    if found.number is None:
        _, message, hint = found.problem or ("", "there is no value", "")
        return Time(row, found, why=message, hint=hint)
    if evidence.is_stale(found):
        assert found.lab
        hint = f"run: perfnotes lab record {found.lab.id}"
        return Time(row, found, why="its result is stale", hint=hint)
    try:
        by = factor(unit(found.unit), unit("s"))
    except UnitError as error:
        return Time(row, found, why=f"no time: {error}", hint="bind a value in ns or s")
    if found.number <= 0:
        return Time(row, found, why="no time: it is not above zero")
    return Time(row, found, found.number * by)
