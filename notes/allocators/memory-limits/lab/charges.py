"""What counts against a group's limit, and what tools say of it."""

from __future__ import annotations

import json
import sys

from groups import DISK, MIB, SHM, Group, Numbers, eaten, end, forget, of, prepare, ready, run, show

KINDS = (
    ("anon", "16 MiB written", ["anon:16"]),
    ("map", "16 MiB untouched", ["map:16"]),
    ("once", "16 MiB file, once", [f"read:{DISK}/data"]),
    ("twice", "same, read twice", [f"read:{DISK}/data", f"read:{DISK}/data"]),
    ("shm", "16 MiB in a tmpfs", [f"write:{SHM}/data:16"]),
    ("files", "10,000 new files", [f"files:{SHM}:10000"]),
    ("udp", "4 MiB datagrams", ["udp:4"]),
)
LINES = ("anon", "shmem", "file", "slab", "sock")
COLUMNS = ("VmRSS", "current", "inactive_file", "working_set")


def kinds() -> Numbers:
    """Each in a group of its own; all numbers in MiB, rounded."""
    numbers: Numbers = {}
    eaten(f"write:{DISK}/data:16")
    widths = {c: len(c.removeprefix("Vm")) + 1 for c in COLUMNS}
    head = "".join(f"{c.removeprefix('Vm'):>{widths[c]}}" for c in COLUMNS)
    print(f"{'MiB':<17}{head} most", flush=True)
    for key, what, actions in KINDS:
        forget()
        group = Group(key)
        process = group.eat(*actions, "say", "wait")
        ready(process)
        row = {"VmRSS": of(f"/proc/{process.pid}/status", "VmRSS") / 1024}
        row["current"] = group.mib()
        row |= {c: group.stat(c) / MIB for c in (*LINES, "inactive_file")}
        row["working_set"] = max(0, row["current"] - row["inactive_file"])
        most = max(LINES, key=lambda line: round(row[line]))
        print(
            f"{what:<17}"
            + "".join(f"{round(row[c]):>{widths[c]}}" for c in COLUMNS)
            + (f" {most}" if row[most] > 1 else " -"),
            flush=True,
        )
        numbers |= {f"{key}_{c}": round(v) for c, v in row.items()}
        end(process)
        numbers[f"{key}_after"] = round(group.mib())
        run(f"rm -r {SHM}/*")
    return numbers


def twins() -> Numbers:
    """A process of 16 MiB and its child; then two groups that use one file of a tmpfs."""
    numbers: Numbers = {}
    group = Group("twins")
    parent = group.eat("anon:16", "fork", "say", "wait")
    ready(parent)
    for pid in group.get("cgroup.procs").split():
        for key in ("Rss", "Pss"):
            value = of(f"/proc/{pid}/smaps_rollup", key) / 1024
            numbers[key.lower()] = numbers.get(key.lower(), 0) + round(value)
    numbers["current"] = round(group.mib())
    group.set("cgroup.kill", 1)
    print("a process of 16 MiB and its child, MiB: sum of Rss", numbers["rss"], end=", ")
    print("sum of Pss", numbers["pss"], end=", ")
    print("memory.current", numbers["current"], flush=True)
    first, second = Group("first"), Group("second")
    eaten(f"write:{SHM}/data:16", group=first)
    other = second.eat(f"read:{SHM}/data", "say", "wait")
    ready(other)
    numbers["writer"], numbers["reader"] = round(first.mib()), round(second.mib())
    print("16 MiB in a tmpfs, MiB: charged to the group that wrote", numbers["writer"], end=", ")
    print("to the one that reads", numbers["reader"], flush=True)
    end(other)
    return numbers


def free() -> Numbers:
    """What /proc/meminfo says after a file was read, and after a file of a tmpfs was written."""
    numbers: Numbers = {}
    for key, what, actions in (
        ("begin", "", []),
        ("read", "a file of 64 MiB is read", [f"read:{DISK}/data"]),
        ("shm", "64 MiB are written into a tmpfs", [f"write:{SHM}/data:64"]),
    ):
        if key == "begin":
            eaten(f"write:{DISK}/data:64")
            forget()
        eaten(*actions)
        if what:
            print(f"{what}:", flush=True)
        show("grep -E 'Mem|Shmem:' /proc/meminfo")
        for name in ("MemFree", "MemAvailable"):
            numbers[f"{key}_{name}"] = round(of("/proc/meminfo", name) / 1024)
        if key == "read":
            forget()
    group = Group("small", max=32 * MIB)
    group.set("cgroup.procs", "0")
    print("in a group with memory.max of 32 MiB:", flush=True)
    numbers["inside"] = round(of("/proc/meminfo", "MemTotal") / 1024)
    show("grep -E 'Mem|Shmem:' /proc/meminfo")
    return numbers


if __name__ == "__main__":
    prepare()
    print(json.dumps(globals()[sys.argv[1]]()))
