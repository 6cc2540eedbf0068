"""The times of the latency numbers, looked up like the bound numbers of a text."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from perfnotes.graph.binding import Found
from perfnotes.graph.evidence import Evidence
from perfnotes.model.latency import LatencyRow
from perfnotes.model.quantity.units import UnitError, factor, unit


class TimedRow(Struct, frozen=True):
    """A row with its evidence and its time. If it has no time, ``why`` says the reason."""

    row: LatencyRow
    found: Found
    seconds: float = 0.0
    why: str = ""
    hint: str = ""


def timed_rows(rows: Iterable[LatencyRow], evidence: Evidence) -> list[TimedRow]:
    """Return every row with its time, in the order of the file."""
    return [_time(row, evidence.find(row.address), evidence) for row in rows]


def _time(row: LatencyRow, found: Found, evidence: Evidence) -> TimedRow:
    if found.number is None:
        _, message, hint = found.problem or ("", "there is no value", "")
        return TimedRow(row, found, why=message, hint=hint)
    if evidence.is_stale(found):
        assert found.lab
        hint = f"run: {evidence.library.record_command(found.lab, found.machine)}"
        return TimedRow(row, found, why="its result is stale", hint=hint)
    try:
        by = factor(unit(found.unit), unit("s"))
    except UnitError as error:
        return TimedRow(row, found, why=f"no time: {error}", hint="bind a value in ns or s")
    if found.number <= 0:
        return TimedRow(row, found, why="no time: it is not above zero")
    return TimedRow(row, found, found.number * by)
