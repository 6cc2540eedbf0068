"""The same program with and without swap: killed, or slowed down by faults that wait for a disk."""

from __future__ import annotations

import json
from pathlib import Path

from groups import MIB, Group, Numbers, eat, end, of, prepare, ready, run

SWAPPINESS = Path("/proc/sys/vm/swappiness")


def faults(process: object) -> int:
    """The major faults that the program has counted when it next says ready."""
    words = ready(process).split()  # type: ignore[arg-type]
    return int(words[1]) if words else -1


def swapping() -> Numbers:
    numbers: Numbers = {"swappiness": int(SWAPPINESS.read_text())}
    print(f"{'24 MiB, written four times':<36}{'$?':>4}{'swapped':>8}{'major faults':>13}")
    for key, what, swap, swappiness, limits in (
        ("none", "memory.max 16 MiB, no swap", 0, 60, {"max": 16 * MIB}),
        ("swap", "memory.max 16 MiB, swap", 1, 60, {"max": 16 * MIB}),
        ("room", "memory.max 32 MiB, swap", 1, 60, {"max": 32 * MIB}),
        ("forbidden", "memory.max 16 MiB, memory.swap.max 0", 1, 60,
         {"max": 16 * MIB, "swap_max": 0}),
        ("zero", "memory.max 16 MiB, vm.swappiness 0", 1, 0, {"max": 16 * MIB}),
    ):  # fmt: skip
        run("swapon /dev/ubdb" if swap else "swapoff -a")
        SWAPPINESS.write_text(str(swappiness))
        group = Group(key, **limits)
        process = group.eat("anon:24", "say", "again:3", "say", "wait")
        first = faults(process)
        last = faults(process) if first >= 0 else first
        numbers[f"{key}_faults"] = last - first
        numbers[f"{key}_mib"] = round(group.mib("memory.swap.current"))
        numbers[f"{key}_status"] = end(process)
        numbers[f"{key}_kills"] = group.events("oom_kill")
        shown = numbers[f"{key}_faults"]
        print(
            f"{what:<36}{numbers[f'{key}_status']:>4}{numbers[f'{key}_mib']:>8}"
            f"{'many' if shown > 1000 else shown:>13}",
            flush=True,
        )
    before = of("/proc/vmstat", "pswpout")
    processes = [eat("anon:90", "say", "wait") for _ in range(2)]
    for process in processes:
        ready(process)
    numbers["global_out"] = (of("/proc/vmstat", "pswpout") - before) * 4096 // MIB
    numbers["global_killed"] = sum(end(process) == 137 for process in processes)
    print("vm.swappiness 0, no limit, 2 of 90 MiB: killed", numbers["global_killed"], end=", ")
    print("swapped", "yes" if numbers["global_out"] else "no", flush=True)
    return numbers


if __name__ == "__main__":
    prepare()
    print(json.dumps(swapping()))
