"""A Box: the scratch folder in which a lab is built and run, with limits of time and memory.

Instruments depend on this protocol only. ``Scratch`` implements it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from perfnotes.model.lab import Limits


class LabError(Exception):
    """A build or run failed; the text says why, for a person, on one or more lines."""


class CannotRunError(Exception):
    """Something that a run needs is missing; the text is ``needs X``."""


class Finished(Struct, frozen=True):
    """A process that ended by itself with an accepted status.

    ``seconds`` is wall time; ``cpu`` is user plus system time of the process and its children, in
    seconds. ``max_rss`` is in bytes.
    """

    stdout: str
    stderr: str
    seconds: float
    cpu: float
    max_rss: int
    minor_faults: int
    major_faults: int


class Box(Protocol):
    """What an instrument gets: the folder ``path`` with the lab's built sources, and ``execute``.

    ``parameters`` are those of ``lab.yml``, by name.
    """

    path: Path
    parameters: Mapping[str, float]

    def arguments(self, command: str) -> list[str]:
        """A command of ``lab.yml`` as arguments, split without a shell, parameters filled in."""
        ...

    def execute(
        self,
        arguments: Sequence[str],
        limits: Limits,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        accept: Sequence[int] = (0,),
    ) -> Finished:
        """Run a process in the folder.

        ``LabError`` if it runs too long, takes too much memory, prints too much, crashes, ends
        with a status that is not in ``accept``, or leaves processes behind. ``CannotRunError`` if
        the program is not installed.
        """
        ...
