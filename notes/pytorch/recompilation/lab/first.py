"""CPU time of the first calls of a compiled function, as JSON: seconds, one per round.

The backend is "eager", so that only tracing and guards are timed; a real backend generates code on top of that.
"""

import gc
import json
import time

import torch

ROUNDS = 9
SIZES = {"first": 4, "second": 4, "other_size": 5, "third_size": 6, "again": 6}


def f(x):
    return ((x * 2 + 1).relu() - 3).sum()


def main():
    torch.set_num_threads(1)
    samples = {name: [] for name in (*SIZES, "uncompiled")}
    gc.disable()
    for turn in range(ROUNDS + 1):
        torch._dynamo.reset()
        compiled = torch.compile(f, backend="eager")
        for name, size in SIZES.items():
            x = torch.ones(size)
            begin = time.thread_time_ns()
            compiled(x)
            spent = time.thread_time_ns() - begin
            if turn:
                samples[name].append(spent / 1e9)
        begin = time.thread_time_ns()
        f(x)
        if turn:
            samples["uncompiled"].append((time.thread_time_ns() - begin) / 1e9)
    print(json.dumps(samples))


main()
