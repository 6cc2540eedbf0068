"""CPU time of operators in float32 and in bfloat16, as JSON: seconds, one per round.

All variants take turns in one process, on one thread; before each measurement the operator runs once
unmeasured, so that it finds its own data in the caches.
"""

import gc
import json
import time

import operators
import torch

ROUNDS = 7


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    variants = {f"{name}_{kind}": make(dtype) for name, make in operators.CASES.items() for kind, dtype in [*operators.TYPES.items(), ("again", torch.float32)]}
    samples = {name: [] for name in variants}
    gc.disable()
    for _ in range(ROUNDS):
        for name, run in variants.items():
            run()
            begin = time.thread_time_ns()
            run()
            samples[name].append((time.thread_time_ns() - begin) / 1e9)
    print(json.dumps(samples))


main()
