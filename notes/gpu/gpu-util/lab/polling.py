"""What nvidia-smi shows of a GPU that is busy in steps, by NVML's definition. No GPU is measured.

A unit is 1/60 s. In each step of STEP units the GPU first executes kernels for BUSY units and then
waits for the host. GPU-Util, read at the moment t, is the busy share of the sample period before t.
Prints one reading a second of two jobs, then the counts as one JSON object.
"""

import json

SECOND = 60
SHORT, LONG = SECOND // 6, SECOND  # the shortest and the longest sample period of the definition
LOCKED, DRIFTING = (60, 24), (55, 22)  # (STEP, BUSY): both are busy for 40 % of the time


def reading(job, period, t):
    step, busy = job
    return sum((u % step) < busy for u in range(t - period, t)) / period


def polls(job, period, first, count):
    return [reading(job, period, first + SECOND * i) for i in range(1, count + 1)]


def moments(value, period):
    """Of the 60 moments at which polling can begin, those from which every reading is `value`."""
    return sum(set(polls(LOCKED, period, first, 60)) == {value} for first in range(60))


def main():
    drifting = polls(DRIFTING, SHORT, 0, 11)
    slow = polls(DRIFTING, LONG, 0, 11)
    buffer = [reading(LOCKED, SHORT, t) for t in range(SHORT, 60 * SECOND + 1, SHORT)]
    rows = {"step 1 s, period 1/6 s": polls(LOCKED, SHORT, 0, 11),
            "step 11/12 s, period 1/6 s": drifting, "step 11/12 s, period 1 s": slow}
    for name, row in rows.items():
        print(f"{name:27}", *(f"{r:4.0%}" for r in row))
    found = {"zero": moments(0, SHORT), "full": moments(1, SHORT),
             "zero_long": moments(0, LONG), "full_long": moments(1, LONG),
             "locked": reading(LOCKED, SHORT, SECOND), "buffer": round(sum(buffer) / len(buffer), 9),
             "lowest": min(drifting), "highest": max(drifting),
             "lowest_long": min(slow), "highest_long": max(slow)}
    found |= {f"short_{i}": r for i, r in enumerate(drifting, 1)}
    found |= {f"long_{i}": r for i, r in enumerate(slow, 1)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
