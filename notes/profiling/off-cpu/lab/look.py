"""What /proc says of a thread that waits, for each way to wait: looked at from another process.

    python3 look.py KIND...

A row for each kind: the state, the function in the kernel and the system call in which it was found
asleep most often (or, if it never slept, running), the waits, and what the kernel counted for them.
Ends with one JSON object.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import time

TURNS = 100
MANY = 2000  # turns of kinds that wait for a moment only
MOMENTS = ("read", "fault")
ATTEMPTS, ENOUGH = 30, 5  # runs of such a kind, until it was seen asleep so often
# Numbers of the calls on x86-64: /usr/include/x86_64-linux-gnu/asm/unistd_64.h
CALLS = {
    "0": "read",
    "17": "pread64",
    "45": "recvfrom",
    "58": "vfork",
    "61": "wait4",
    "202": "futex",
    "230": "clock_nanosleep",
    "-1": "none",
    "running": "running",
}


def seen(pid: int) -> tuple[str, str, str] | None:
    """State, function and call of the process's first thread; None if it has ended."""
    folder = pathlib.Path("/proc", str(pid), "task", str(pid))
    try:
        state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        where = (folder / "wchan").read_text().partition(".")[0]
        call = (folder / "syscall").read_text().split()[0]
        again = (folder / "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return None
    if again in "ZX":
        return None
    # A look takes three reads. Between them the thread may have gone on.
    if state != again or (state == "R") != (where == "0") or (state == "R") != (call == "running"):
        return ("changed", "", "")
    return (state, where, CALLS.get(call, call))


def watch(kind: str) -> tuple[collections.Counter, collections.Counter]:
    """How often each combination was seen while the program waited, and what it counted."""
    looks: collections.Counter = collections.Counter()
    counted: collections.Counter = collections.Counter()
    turns = MANY if kind in MOMENTS else TURNS
    for _ in range(ATTEMPTS if kind in MOMENTS else 1):
        with subprocess.Popen(
            ["./waits", kind, str(turns)], stdout=subprocess.PIPE, text=True
        ) as program:
            program.stdout.readline()
            while look := seen(program.pid):
                looks[look] += 1
                if kind not in MOMENTS:
                    time.sleep(0.002)
            counted.update(json.loads(program.stdout.readline()) | {"turns": turns})
        del looks[("changed", "", "")]
        # On a busy machine a moment is easily missed.
        if sum(n for look, n in looks.items() if look[0] in "SD") >= ENOUGH:
            break
    return looks, counted


def main(kinds: list[str]) -> None:
    """Prints the table and the quantities."""
    quantities: dict[str, float] = {}
    head = ("", "state", "wchan", "call", "waits", "voluntary", "ran", "ready", "slept")
    row = "{:<9}{:<6}{:<26}{:<16}{:>6}{:>10}{:>6}{:>7}{:>7}"
    print(row.format(*head))
    for kind in kinds:
        looks, counted = watch(kind)
        asleep = {look: n for look, n in looks.items() if look[0] in "SD"}
        state, where, call = max(asleep or looks, key=looks.__getitem__)
        wall = counted["wall"]
        ran, ready = counted["ran"] / wall, counted["ready"] / wall
        shares = (f"{100 * x:.0f} %" for x in (ran, ready, max(0, 1 - ran - ready)))
        print(row.format(kind, state, where, call, counted["turns"], counted["voluntary"], *shares))
        quantities |= {
            f"{kind}_voluntary": counted["voluntary"] / counted["turns"],
            f"{kind}_major": counted["major"] / counted["turns"],
            f"{kind}_in_call": int(call not in ("none", "running")),
            f"{kind}_state_s": int(state == "S"),
            f"{kind}_state_d": int(state == "D"),
            f"{kind}_state_r": int(state == "R"),
            f"{kind}_off": 1 - ran - ready,
        }
    print(json.dumps(quantities))


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main(sys.argv[1:])
