"""CPU time, wall time and peak memory of a program and all processes that it starts."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

_INTERVAL = 0.05  # seconds between two samples of the memory


@dataclass(frozen=True)
class Cost:
    """CPU seconds, wall seconds, and peak memory in MB."""

    cpu: float
    wall: float
    memory: float


class BuildError(Exception):
    """A generator failed to build; the message is the end of its output."""


def run(command: Sequence[str], log: Path, cwd: Path, more: Mapping[str, str]) -> Cost:
    """Run a program to its end, with ``more`` added to its environment and its output in ``log``.

    The kernel counts the CPU time of the program and of the processes that it waited for. Memory is
    the sum over its processes; pages that they share count once. Raises ``BuildError`` if the
    program fails. Python keeps its bytecode, as it does for users, even if this environment says
    otherwise.
    """
    bytecode = {"PYTHONDONTWRITEBYTECODE": ""}
    began = time.monotonic()
    with log.open("w", encoding="utf-8") as out:
        child = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=cwd, env={**os.environ, **bytecode, **more}
        )
    over = threading.Event()
    peaks: list[float] = []
    sampler = threading.Thread(target=_sample, args=(child.pid, over, peaks))
    sampler.start()
    try:
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        child.kill()
        raise
    finally:
        over.set()
        sampler.join()
    wall = time.monotonic() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise BuildError(log.read_text("utf-8", errors="replace").strip()[-300:])
    return Cost(usage.ru_utime + usage.ru_stime, wall, max([usage.ru_maxrss / 1024, *peaks]))


def _sample(pid: int, over: threading.Event, peaks: list[float]) -> None:
    """Appends the memory of a program and its child processes, in MB, until ``over`` is set.

    While the program has no children it takes no sample: the kernel keeps the peak of one process.
    """
    pause = _INTERVAL
    while not over.wait(pause):
        began = time.monotonic()
        try:
            program = psutil.Process(pid)
            below = program.children(recursive=True)
            if below:
                peaks.append(sum(p.memory_full_info().pss for p in (program, *below)) / 1e6)
        except psutil.Error:  # a process has ended meanwhile
            continue
        # A sample stops large processes for a moment, so they are sampled less often.
        pause = max(_INTERVAL, 20 * (time.monotonic() - began))
