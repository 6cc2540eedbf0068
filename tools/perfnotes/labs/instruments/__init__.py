"""The instruments: ways to measure a run of a lab, one module each.

An instrument has the name of its file (``tool: strace`` is ``strace.py``). The module has
``OPTIONS``, a JSON Schema for the keys that it takes in addition to those of every run;
``needs(run)``, the tools that it needs; and ``measure(run, box)``, which returns the quantities of
one repetition, each with its samples and unit. The page about labs shows the docstring of each
module. To add an instrument, add a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol, cast

from msgspec import Struct

from perfnotes.labs.box import Box
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples
from perfnotes.modules import modules_of


class Measurement(Struct, frozen=True):
    """The quantities of one repetition of a run; ``output`` is what the program printed."""

    quantities: Mapping[str, Samples]
    output: str = ""


class Instrument(Protocol):
    """The interface of the modules in this folder."""

    OPTIONS: Mapping[str, Any]

    def needs(self, run: Run) -> Needs:
        """The tools and packages that the instrument needs for this run."""
        ...

    def measure(self, run: Run, box: Box) -> Measurement:
        """Measure once. ``LabError`` if that fails, ``CannotRunError`` if something is missing."""
        ...


@cache
def instruments() -> dict[str, Instrument]:
    """All instruments by name."""
    return cast(dict[str, Instrument], modules_of(__name__))
