"""Busy processes on one CPU: how long each was ready and did not run, by /proc/PID/schedstat.

python3 crowd.py TURNS prints the share of the time for one process and for four, as JSON. A kernel
of its own has no other work, whatever else the machine does.
"""

import json
import os
import subprocess
import sys


def ready(processes: int, turns: str) -> tuple[float, float, int]:
    """Ready time in all time; CPU time in all time; voluntary switches: over the processes."""
    running = [
        subprocess.Popen(["./waits", "busy", turns], stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    counted = [json.loads(p.communicate()[0].splitlines()[-1]) for p in running]
    wall = sum(c["wall"] for c in counted)
    return (
        sum(c["ready"] for c in counted) / wall,
        sum(c["ran"] for c in counted) / wall,
        sum(c["voluntary"] for c in counted),
    )


def main() -> None:
    """Runs both on the first CPU that is allowed."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    quantities = {}
    for processes in (1, 4):
        waited, ran, voluntary = ready(processes, sys.argv[1])
        quantities |= {
            f"ready_{processes}": waited,
            f"ran_{processes}": ran,
            f"voluntary_{processes}": voluntary,
        }
    print(json.dumps(quantities))


if __name__ == "__main__":
    main()
