"""Groups of the cpu controller (cgroup v2), and processes that work in them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PERIOD = 100  # ms, the kernel's default


class Group:
    """A group below the root or below another; times are in ms."""

    def __init__(self, name: str, *, under: Group | None = None) -> None:
        parent = under.path if under else ROOT
        (parent / "cgroup.subtree_control").write_text("+cpu")
        self.path = parent / name
        self.path.mkdir()

    def set(self, name: str, value: object) -> None:
        (self.path / name).write_text(str(value))

    def limit(self, quota: int, period: int = PERIOD) -> None:
        self.set("cpu.max", f"{quota * 1000} {period * 1000}")

    def stat(self) -> dict[str, int]:
        """The numbers of cpu.stat; those whose names end in usec are in microseconds."""
        lines = (self.path / "cpu.stat").read_text().splitlines()
        return {name: int(number) for name, number in map(str.split, lines)}

    def since(self, before: dict[str, int]) -> dict[str, int]:
        return {name: number - before[name] for name, number in self.stat().items()}

    def start(self, work: Callable[[], None]) -> int:
        """A process of the group that does the work and exits."""
        pid = os.fork()
        if pid == 0:
            try:
                self.set("cgroup.procs", os.getpid())
                work()
            finally:
                os._exit(0)
        return pid

    def call(self, work: Callable[[], list[int]]) -> list[int]:
        """Do the work in a process of the group, and give back its numbers."""
        here, there = os.pipe()
        pid = self.start(lambda: os.write(there, " ".join(map(str, work())).encode()) and None)
        os.close(there)
        with os.fdopen(here) as file:
            numbers = [int(word) for word in file.read().split()]
        os.waitpid(pid, 0)
        return numbers


def spin() -> None:
    """Keep a CPU busy until killed."""
    while True:
        pass


def burn(milliseconds: int) -> None:
    """Use so much CPU time."""
    end = time.process_time() + milliseconds / 1000
    while time.process_time() < end - 0.001:
        pass


def stop(pids: list[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for pid in pids:
        os.waitpid(pid, 0)


def wait_for_phase(milliseconds: int, step: int = PERIOD) -> None:
    """Sleep until the clock is so far into one of its periods: in Linux 6.1 they begin at its multiples."""
    now = time.monotonic()
    boundary = (int(now * 1000) // step + 2) * step
    time.sleep((boundary + milliseconds) / 1000 - now)
