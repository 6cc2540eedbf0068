"""How many CPUs each tool tells, free and under a mask of one CPU; what two files say of memory."""

import json
import os
import re
import subprocess
from pathlib import Path


def lines(*command: str) -> int:
    text = subprocess.check_output(command, text=True)
    return sum(1 for line in text.splitlines() if not line.startswith("#"))


def kibibytes(path: str) -> int:
    found = re.search(r"MemTotal:\s+(\d+) kB", Path(path).read_text())
    return int(found[1]) * 1024 if found else 0


allowed = sorted(os.sched_getaffinity(0))
mask = ["taskset", "-c", str(allowed[-1])]
nodes = Path("/sys/devices/system/node").glob("node[0-9]*/meminfo")
print(
    json.dumps(
        {
            "lscpu": lines("lscpu", "-p=CPU"),
            "lscpu_masked": lines(*mask, "lscpu", "-p=CPU"),
            "nproc": int(subprocess.check_output(["nproc"])),
            "nproc_masked": int(subprocess.check_output([*mask, "nproc"])),
            "meminfo": kibibytes("/proc/meminfo"),
            "nodes": sum(kibibytes(str(n)) for n in nodes),
        }
    )
)
