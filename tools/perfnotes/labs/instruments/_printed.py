"""Quantities that a program prints as JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._call import quoted
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.result import Samples

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OBJECT = re.compile(r"^[ \t]*\{", re.MULTILINE)
_EXACT = 2**53  # floats represent whole numbers up to here exactly
_TRIES = 50  # places at which the last JSON object may begin


def quantities(stdout: str, units: Mapping[str, str] | None = None) -> dict[str, Samples]:
    """The quantities in the JSON object at the end of ``stdout``; ``units`` is by quantity.

    ``LabError`` if there is no such object, or a value is not a number or list of numbers.
    """
    units = units or {}
    data = last_object(stdout)
    if not data:
        raise LabError("the program printed a JSON object without quantities")
    found = {name: Samples(_samples(name, value), units.get(name, "")) for name, value in data}
    for name, text in units.items():
        if name not in found:
            raise LabError(f"units: the program printed no {name!r}; it printed {', '.join(found)}")
        try:
            unit(text)
        except UnitError as error:
            raise LabError(f"units: {name}: {error}") from error
    return found


def last_object(stdout: str) -> list[tuple[str, Any]]:
    """The pairs of the JSON object at the end of a program's output; it may span lines."""
    text = stdout.rstrip()
    starts = [match.start() for match in _OBJECT.finditer(text)] if text.endswith("}") else []
    problem = ""
    for start in reversed(starts[-_TRIES:]):
        try:
            data = json.loads(text[start:], object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            problem = f" ({error})"
            continue
        return list(data.items())
    raise LabError(
        "the program must end its output with one JSON object"
        f" that begins on a line of its own{problem}; it printed {quoted(stdout)}"
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        names = [name for name, _ in pairs]
        raise LabError(f"the program printed {max(names, key=names.count)!r} twice")
    return data


def _samples(name: str, value: Any) -> tuple[float, ...]:
    if not _NAME.fullmatch(name):
        raise LabError(f"the program printed {name!r}, which is no name for a quantity")
    values = value if isinstance(value, list) else [value]
    if not values:
        raise LabError(f"the program printed no samples of {name!r}")
    return tuple(_number(name, each) for each in values)


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        shown = json.dumps(value)[:80]
        raise LabError(f"the program printed {shown} for {name!r}, not a number or list of numbers")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise LabError(f"the program printed a number for {name!r} that is not finite")
    return value if abs(number) <= _EXACT else number
