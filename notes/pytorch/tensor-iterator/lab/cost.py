"""CPU time of one element-wise multiplication on tensors of different layouts and types, as JSON.

Seconds per call, one per round. All variants take turns in one process, on one thread; the first
round is not reported. Every result goes into a tensor that exists.
"""

import gc
import json
import sys
import time

import torch

ROUNDS = 21


def variants(n):
    """Name: what to run, on n * n elements each."""
    x, y, out = torch.rand(n, n), torch.rand(n, n), torch.empty(n, n)
    wide, wide_2 = torch.rand(n, n + 16), torch.rand(n, n + 16)
    even, even_2 = torch.rand(n, 2 * n), torch.rand(n, 2 * n)
    number, row, column = torch.rand(()), torch.rand(n), torch.rand(n, 1)
    double = y.double()
    short, four = torch.rand(n * n // 4, 4), torch.rand(4)
    short_out = torch.empty(n * n // 4, 4)
    x_t, y_t, out_t = x.t(), y.t(), out.t()
    cropped, cropped_2 = wide[:, :n], wide_2[:, :n]
    second, second_2 = even[:, ::2], even_2[:, ::2]
    return {
        "warm": lambda: torch.mul(x, y, out=out),
        "rows": lambda: torch.mul(x, y, out=out),
        "again": lambda: torch.mul(x, y, out=out),
        "transposed": lambda: torch.mul(x_t, y_t, out=out_t),
        "cropped": lambda: torch.mul(cropped, cropped_2, out=out),
        "number": lambda: torch.mul(x, number, out=out),
        "row": lambda: torch.mul(x, row, out=out),
        "column": lambda: torch.mul(x, column, out=out),
        "every_second": lambda: torch.mul(second, second_2, out=out),
        "mixed": lambda: torch.mul(x, y_t, out=out),
        "short": lambda: torch.mul(short, four, out=short_out),
        "types": lambda: torch.mul(x, double, out=out),
    }


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: cost.py SIZE CALLS")
    n, calls = int(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    timed = variants(n)
    samples = {name: [] for name in timed if name != "warm"}
    gc.disable()
    for turn in range(ROUNDS + 1):
        for name, work in timed.items():
            begin = time.thread_time_ns()
            for _ in range(calls):
                work()
            spent = time.thread_time_ns() - begin
            if turn and name in samples:
                samples[name].append(spent / calls / 1e9)
    print(json.dumps(samples))


main()
