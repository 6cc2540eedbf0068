"""CPU time of the same steps with and without the profiler, as JSON: seconds, one number per round.

All variants take turns in one process, on one thread; the first round is not reported. The time is that
between entering and leaving the profiler; what leaving and reading it costs is measured apart.
"""

import gc
import json
import time

import torch
from step import CPU, make_step
from torch.profiler import profile, record_function

ROUNDS = 15
OPTIONS = {
    "warm": None,  # fills the caches; not reported
    "plain": None,
    "again": None,
    "bare": {},
    "shapes": {"record_shapes": True},
    "memory": {"profile_memory": True},
    "stack": {"with_stack": True},
    "all": {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_flops": True},
}
LARGE = ("warm", "plain", "again", "bare", "all")


def clock():
    return time.thread_time_ns() / 1e9


def spent(step, steps, options, read):
    """Seconds of the steps, of leaving the profiler, and of its table if it is read."""
    if options is None:
        begin = clock()
        for _ in range(steps):
            step()
        return clock() - begin, 0, 0
    found = profile(activities=CPU, **options)
    found.start()
    begin = clock()
    for _ in range(steps):
        step()
    inside = clock()
    found.stop()
    left = clock()
    if read:
        found.key_averages()
    return inside - begin, left - inside, clock() - left


def main():
    torch.set_num_threads(1)
    small, large = make_step(64, 8), make_step(512, 256)
    x = torch.ones(8)
    out = torch.empty(8)
    samples = {}
    gc.disable()
    for turn in range(ROUNDS + 1):
        found = {}
        for kind, step, steps in (("small", small, 10), ("large", large, 2)):
            for name, options in OPTIONS.items():
                if kind == "large" and name not in LARGE:
                    continue
                inside, leave, table = spent(step, steps, options, (kind, name) == ("small", "bare"))
                found[f"{kind}_{name}"] = inside
                if (kind, name) == ("small", "bare"):
                    found |= {"leave": leave, "table": table}
        for name in ("call_warm", "call", "call_again"):
            begin = clock()
            for _ in range(500):
                torch.add(x, x, out=out)
            found[name] = clock() - begin
        begin = clock()
        for _ in range(500):
            with record_function("range"):
                torch.add(x, x, out=out)
        found["ranged"] = clock() - begin
        gc.collect()
        if turn:
            for name, value in found.items():
                if "warm" not in name:
                    samples.setdefault(name, []).append(value)
    print(json.dumps(samples))


main()
