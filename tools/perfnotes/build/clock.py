"""Measures where the time of a build goes, and shows on a terminal how far the build is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_PATIENCE = 1.0  # seconds; a shorter build shows no progress
_WIDTH = 24  # columns of the bar


class Clock:
    """Counts CPU and wall seconds by phase, and shows the present phase on ``terminal``, if any."""

    def __init__(self, terminal: TextIO | None = None) -> None:
        self._terminal = terminal
        self._began = self._shown = time.monotonic()
        self._cpu: dict[str, float] = {}
        self._wall: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count the time inside this context for the phase ``name``."""
        self.show(name)
        cpu, wall = time.process_time(), time.monotonic()
        try:
            yield
        finally:
            self.add(name, time.process_time() - cpu, time.monotonic() - wall)

    def add(self, name: str, cpu: float, wall: float = 0.0) -> None:
        """Count so many seconds for the phase ``name``."""
        self._cpu[name] = self._cpu.get(name, 0.0) + cpu
        self._wall[name] = self._wall.get(name, 0.0) + wall

    def show(self, name: str, done: int = 0, total: int = 0) -> None:
        """Show the phase, and a bar for ``done`` of ``total``, at most ten times a second."""
        now = time.monotonic()
        if not self._terminal or now - self._began < _PATIENCE or now - self._shown < 0.1:
            return
        self._shown = now
        full = _WIDTH * done // total if total else 0
        bar = f" [{'#' * full}{'.' * (_WIDTH - full)}] {done} of {total}" if total else ""
        self._terminal.write(f"\r\x1b[K{name}{bar}")
        self._terminal.flush()

    def clear(self) -> None:
        """Erase the line on the terminal."""
        if self._terminal and self._shown > self._began:
            self._terminal.write("\r\x1b[K")
            self._terminal.flush()
            self._shown = self._began

    def table(self) -> str:
        """Return a table of the phases, and of this process together with those that it forked.

        Phases that several processes share have CPU time only.
        """
        times = os.times()
        cpu = sum(times[:4])
        wall = time.monotonic() - self._began
        rows = [(name, self._cpu[name], self._wall[name]) for name in self._cpu]
        rows.append(("start and the rest", cpu - sum(self._cpu.values()), 0.0))
        rows.append(("all", cpu, wall))
        lines = [f"{'':20}{'CPU s':>8}{'wall s':>8}"]
        lines += [
            f"{name:20}{cpu:8.2f}" + (f"{wall:8.2f}" if wall else f"{'':8}")
            for name, cpu, wall in rows
        ]
        return "".join(f"{line.rstrip()}\n" for line in lines)


def terminal() -> TextIO | None:
    """Return standard error if it is a terminal on which a line can be erased, else None."""
    able = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return sys.stderr if able else None
