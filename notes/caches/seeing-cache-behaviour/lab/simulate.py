"""What Valgrind's simulators say beyond the plain counts, as JSON.

simulate.py guess                        the last level that Cachegrind takes by itself
simulate.py callgrind OPTION COMMAND...  own costs of in_order, shuffled and sum_rows
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

CACHES = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=33554432,16,64"]
FUNCTIONS = ("in_order", "shuffled", "sum_rows")


def valgrind(*arguments):
    done = subprocess.run(["valgrind", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"simulate.py: valgrind failed: {done.stderr[-300:]}")
    return done.stderr


def guess():
    said = valgrind("--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=guess", "true")
    simulated = re.search(r"^desc: LL cache: +(\d+) B", Path("guess").read_text(), re.MULTILINE)
    specified = re.search(r"specified LL cache:.*total_size ([\d,]+)", said)
    size = int(simulated[1])
    return {
        "simulated": size,
        "specified": int(specified[1].replace(",", "")) if specified else size,
    }


def own_costs(path):
    """By function the sum of its own cost lines; those behind `calls=` are of the callee."""
    events, positions, names = [], 1, {}
    costs, function, skip = defaultdict(lambda: defaultdict(int)), "", False
    for line in Path(path).read_text().splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("positions:"):
            positions = len(line.split()) - 1
        elif match := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
            if match[2]:
                names[match[1]] = match[2]
            if line.startswith("fn="):
                function = names[match[1]]
        elif line.startswith("calls="):
            skip = True
        elif re.match(r"[0-9+*-]", line):
            if not skip:
                for event, cost in zip(events, line.split()[positions:], strict=False):
                    costs[function][event] += int(cost)
            skip = False
    return costs


def callgrind(option, command):
    valgrind("--tool=callgrind", *CACHES, option, "--callgrind-out-file=costs", *command)
    costs = own_costs("costs")
    found = {
        f"{name}_{event}": costs[name].get(event, 0)
        for name in FUNCTIONS
        if name in costs
        for event in ("D1mr", "DLmr", "SpLoss1")
    }
    if not found:
        sys.exit("simulate.py: none of the functions was called")
    return found


if sys.argv[1:] == ["guess"]:
    print(json.dumps(guess()))
elif len(sys.argv) > 3 and sys.argv[1] == "callgrind":
    print(json.dumps(callgrind(sys.argv[2], sys.argv[3:])))
else:
    sys.exit("usage: simulate.py guess | simulate.py callgrind OPTION COMMAND...")
