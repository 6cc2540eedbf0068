"""The instruments, one module each: ways to measure a run of a lab.

A module here is an instrument, called by its file's name (``tool: strace`` is ``strace.py``). It
has ``OPTIONS``, a JSON Schema for the keys that it takes beside those of every run;
``needs(run)``, what it cannot do without; and ``measure(run, box)``, which gives the quantities of
one repetition, each with its samples and unit. Adding an instrument is adding a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol, cast

from perfnotes.labs.box import Box
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples


@dataclass(frozen=True)
class Measurement:
    """What one repetition of a run gave; ``output`` is what the measured program printed."""

    quantities: Mapping[str, Samples]
    output: str = ""


class Instrument(Protocol):
    """What a module of this folder offers."""

    OPTIONS: Mapping[str, Any]

    def needs(self, run: Run) -> Needs:
        """The tools and packages that it cannot do without."""
        ...

    def measure(self, run: Run, box: Box) -> Measurement:
        """Measure once; ``LabError`` or ``CannotRunError`` say what went wrong."""
        ...


@cache
def instruments() -> dict[str, Instrument]:
    """By name all instruments there are."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return {n: cast(Instrument, import_module(f"{__name__}.{n}")) for n in names}
