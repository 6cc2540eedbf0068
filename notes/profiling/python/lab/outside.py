"""What is seen from outside: shares of py-spy's samples, and stacks of a program that hangs."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable


def samples(*options: str, mode: str, seconds: str = "2") -> Callable[[str], int]:
    """Of a run under py-spy: how many samples have a word in their stack."""
    command = ["py-spy", "record", "-r", "200", "-d", "30", "-f", "raw", "-o", "raw.txt", *options]
    command += ["--", sys.executable, "service.py", mode, seconds]
    subprocess.run(command, check=True, capture_output=True)
    with open("raw.txt") as raw:
        stacks = [line.rpartition(" ") for line in raw]
    return lambda word: sum(int(n) for stack, _, n in stacks if word in stack)


def shares() -> dict[str, float]:
    seen = samples(mode="computes", seconds="10")
    many, small, few = seen("many ("), seen("small ("), seen("few (")
    return {
        "many": 100 * many / (many + few),
        "all": seen(""),
        "caller": (many - small) / few,
        "callee": small / few,
    }


def waiting() -> dict[str, list[float]]:
    """The share of the samples that lies in a sleep, with and without --idle, in turn."""
    found: dict[str, list[float]] = {"busy": [], "idle": []}
    for _ in range(5):
        for name, options in (("busy", ()), ("idle", ("--idle",))):
            seen = samples(*options, mode="waits", seconds="1.5")
            slept = seen("waits (service.py") - seen("few (")
            found[name].append(100 * slept / seen("waits ("))
    return found


def children() -> dict[str, float]:
    found: dict[str, float] = {}
    for name, options in (("alone", ()), ("family", ("--subprocesses",))):
        found[name] = samples(*options, mode="child")("many (")
    return found


def hung() -> dict[str, float]:
    later = subprocess.run(
        [sys.executable, "service.py", "hangs", "1"], capture_output=True, text=True
    )
    with open("said.txt", "w+") as said:
        process = subprocess.Popen([sys.executable, "service.py", "hangs", "0"], stderr=said)
        while len(os.listdir(f"/proc/{process.pid}/task")) < 3:
            time.sleep(0.05)
        time.sleep(1)  # both threads wait by now
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        alive = process.poll() is None  # the signal only printed
        dumped = subprocess.run(
            ["py-spy", "dump", "--pid", str(process.pid)], capture_output=True, text=True
        )
        process.kill()
        process.wait()
        said.seek(0)
        by_signal = said.read()
    naked = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9)"])
    time.sleep(0.5)
    naked.send_signal(signal.SIGUSR1)
    return {
        "naked": naked.wait(),
        "later": later.stderr.count(" in first"),
        "later_status": later.returncode,
        "signal": by_signal.count(" in first"),
        "alive": int(alive),
        "dump": dumped.stdout.count("first (service.py"),
    }


MODES = {"shares": shares, "waiting": waiting, "children": children, "hung": hung}
print(json.dumps(MODES[sys.argv[1]]()))
