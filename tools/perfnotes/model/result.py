"""A Result: what one lab measured on one machine.

It holds the raw samples, the versions of the tools, a description of the machine and a digest.
Statistics are not stored: claims are judged from the samples whenever a result is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import Struct

from perfnotes.model.machine import Machine
from perfnotes.model.quantity.units import unit
from perfnotes.model.quantity.vector import Vector
from perfnotes.text.source import Source

FORMAT = 1
_NUMBERS = re.compile(r"\[\s+-?\d[-+.\deE,\s]*\]")


class Samples(Struct, frozen=True):
    """One quantity's raw samples, in the order in which they were taken."""

    samples: tuple[float, ...]
    unit: str = ""

    @property
    def vector(self) -> Vector:
        return Vector(self.samples, unit(self.unit))


class Measured(Struct, frozen=True):
    """One run: its quantities, and its output if the lab stores it; or why it was not run."""

    tool: str
    quantities: Mapping[str, Samples] = {}
    output: str | None = None
    not_run: str = ""  # "needs nvcc"
    seconds: float = 0.0  # wall clock
    load: float | None = None  # share of the machine's CPU time that other processes took


@dataclass(frozen=True)
class Result:
    """``lab/results/<machine>.json``; ``digest`` covers everything else in the file."""

    lab: str
    machine: Machine
    lab_digest: str  # ``Lab.digest`` when the result was recorded
    date: str  # the day, UTC
    commit: str  # "" outside git; ends in "+" if there were uncommitted changes
    versions: Mapping[str, str]  # of compiler, libc, tools
    flags: tuple[str, ...]  # build commands as they were run
    runs: Mapping[str, Measured]
    unfit: tuple[str, ...] = ()  # reasons to doubt its timings
    digest: str = ""
    source: Source | None = field(default=None, compare=False)

    @cached_property
    def is_as_recorded(self) -> bool:
        """Whether ``digest`` is the digest of the other fields."""
        return self.digest == digest_of(_without_digest(self))


def to_json(result: Result) -> dict[str, Any]:
    """Return the content of the result's file, with the digest."""
    data = _without_digest(result)
    return {**data, "digest": digest_of(data)}


def dumps(result: Result) -> str:
    """Return the text of the result's file, with each list of samples on one line."""
    text = json.dumps(to_json(result), ensure_ascii=False, indent=1)
    return (
        _NUMBERS.sub(lambda m: " ".join(m[0].split()).replace("[ ", "[").replace(" ]", "]"), text)
        + "\n"
    )


def digest_of(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of everything in a result's file except the digest."""
    rest = {key: value for key, value in data.items() if key != "digest"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _without_digest(result: Result) -> dict[str, Any]:
    machine = result.machine
    return {
        "format": FORMAT,
        "lab": result.lab,
        "lab_digest": result.lab_digest,
        "date": result.date,
        "commit": result.commit,
        "machine": {name: _plain(getattr(machine, name)) for name in Machine.__struct_fields__},
        "versions": dict(result.versions),
        "flags": list(result.flags),
        "unfit": list(result.unfit),
        "runs": {id: _run(run) for id, run in result.runs.items()},
    }


def _run(run: Measured) -> dict[str, Any]:
    data: dict[str, Any] = {"tool": run.tool}
    if run.not_run:
        return data | {"not_run": run.not_run}
    data |= {"seconds": run.seconds, "load": run.load}
    if run.output is not None:
        data["output"] = run.output
    data["quantities"] = {
        name: {"unit": q.unit, "samples": list(q.samples)} for name, q in run.quantities.items()
    }
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return list(value) if isinstance(value, tuple) else value


def from_json(data: Mapping[str, Any], source: Source | None = None) -> Result:
    """Make a result from the content of its file, which the schema has accepted."""
    machine = dict(data["machine"])
    machine["gpus"] = tuple(machine.get("gpus", ()))
    return Result(
        lab=data["lab"],
        machine=Machine(**machine),
        lab_digest=data["lab_digest"],
        date=data["date"],
        commit=data["commit"],
        versions=dict(data["versions"]),
        flags=tuple(data["flags"]),
        runs={id: _measured(run) for id, run in data["runs"].items()},
        unfit=tuple(data["unfit"]),
        digest=data["digest"],
        source=source,
    )


def _measured(run: Mapping[str, Any]) -> Measured:
    quantities = {
        name: Samples(tuple(q["samples"]), q["unit"])
        for name, q in run.get("quantities", {}).items()
    }
    return Measured(
        run["tool"],
        quantities,
        run.get("output"),
        run.get("not_run", ""),
        run.get("seconds", 0.0),
        run.get("load"),
    )
