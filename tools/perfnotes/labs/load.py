"""The share of the machine's CPU time that other processes took during a measurement."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

_TICK = os.sysconf("SC_CLK_TCK")
SHORTEST = 0.25  # seconds of the machine's CPU time; for less, clock ticks are too coarse


class LoadClock(Struct, frozen=True):
    """CPU seconds since the machine started.

    ``total`` are those of all cores, ``busy`` the part in which they were not idle, ``ours`` those
    of this process and of its children that have ended.
    """

    total: float
    busy: float
    ours: float


def clock() -> LoadClock | None:
    """The CPU seconds until now, or None if the system does not report them."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    except OSError:
        return None
    ticks = [int(field) for field in fields]
    if len(ticks) < 8:
        return None
    user, nice, system, idle, waiting, irq, softirq, steal = ticks
    busy = user + nice + system + irq + softirq + steal
    times = os.times()
    ours = times.user + times.system + times.children_user + times.children_system
    return LoadClock((busy + idle + waiting) / _TICK, busy / _TICK, ours)


def share_of_others(before: LoadClock | None, after: LoadClock | None) -> float | None:
    """The share (0 to 1) of CPU time that other processes took between two readings of ``clock``.

    Steal time, which the hypervisor gave to other guests, counts as theirs. None if a reading is
    None, or less than ``SHORTEST`` CPU seconds lie between the two.
    """
    if before is None or after is None or after.total - before.total < SHORTEST:
        return None
    total = after.total - before.total
    others = (after.busy - before.busy) - (after.ours - before.ours)
    return round(min(max(others / total, 0.0), 1.0), 3)
