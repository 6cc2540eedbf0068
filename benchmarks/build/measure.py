"""What a program and all that it starts take: CPU time, wall time, memory at the peak."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

_LOOK = 0.05  # seconds between two looks at the memory


@dataclass(frozen=True)
class Cost:
    """CPU seconds, wall seconds, and MB at the peak."""

    cpu: float
    wall: float
    memory: float


class BuildError(Exception):
    """A generator did not build; the text is the end of what it said."""


def run(command: Sequence[str], log: Path, cwd: Path, more: Mapping[str, str]) -> Cost:
    """Run a program to its end; ``more`` is added to its environment.

    CPU time is what the kernel counted for it and the processes that it waited for. Memory is the
    sum over its processes, pages that they share counted once.
    """
    began = time.monotonic()
    with log.open("w", encoding="utf-8") as out:
        child = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=cwd, env={**os.environ, **more}
        )
    over = threading.Event()
    peaks: list[float] = []
    looker = threading.Thread(target=_look, args=(child.pid, over, peaks))
    looker.start()
    try:
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        child.kill()
        raise
    finally:
        over.set()
        looker.join()
    wall = time.monotonic() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise BuildError(log.read_text("utf-8", errors="replace").strip()[-300:])
    return Cost(usage.ru_utime + usage.ru_stime, wall, max([usage.ru_maxrss / 1024, *peaks]))


def _look(pid: int, over: threading.Event, peaks: list[float]) -> None:
    """Note what a program and its processes hold, until it is over.

    One process alone is left to the kernel, which keeps its peak.
    """
    pause = _LOOK
    while not over.wait(pause):
        began = time.monotonic()
        try:
            program = psutil.Process(pid)
            below = program.children(recursive=True)
            if below:
                peaks.append(sum(p.memory_full_info().pss for p in (program, *below)) / 1e6)
        except psutil.Error:  # a process has ended meanwhile
            continue
        # A look holds large processes up, so large ones are looked at less often.
        pause = max(_LOOK, 20 * (time.monotonic() - began))
