"""Two programs of one thread each at once: free, both bound by OpenMP, or each on a CPU of its own.

Prints per round the number of CPUs on which the two were seen, and the wall time of the slower one
divided by the CPU time that each one burns.
"""

import json
import os
import subprocess
import sys

ROUNDS, MS = int(sys.argv[1]), float(sys.argv[2])
CPUS = sorted(os.sched_getaffinity(0))
PLAIN = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
BOUND = PLAIN | {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "true"}
VARIANTS = {
    "free": (PLAIN, [[], []]),
    "bound": (BOUND, [[], []]),
    "placed": (PLAIN, [["taskset", "-c", str(CPUS[0])], ["taskset", "-c", str(CPUS[-1])]]),
}


def together(env: dict[str, str], prefixes: list[list[str]]) -> tuple[int, float]:
    commands = [[*p, "./affinity", "spin", str(MS)] for p in prefixes]
    running = [
        subprocess.Popen(c, env=env, stdout=subprocess.PIPE, text=True) for c in commands
    ]
    answers = [p.communicate()[0].split() for p in running]
    return len({cpu for a in answers for cpu in a[1:]}), max(float(a[0]) for a in answers)


found: dict[str, list[float]] = {f"{v}_{q}": [] for v in VARIANTS for q in ("cpus", "stretch")}
for turn in range(ROUNDS + 1):  # the first round is not counted
    for variant in sorted(VARIANTS, reverse=turn % 2 == 1):
        cpus, wall = together(*VARIANTS[variant])
        if turn:
            found[f"{variant}_cpus"].append(cpus)
            found[f"{variant}_stretch"].append(wall / (MS * 1e-3))
print(json.dumps(found))
