"""CPU time of element-wise addition on tensors of different layouts, as JSON: seconds, one per round.

All variants take turns in one process, on one thread; the first round is not reported.
"""

import gc
import json
import sys
import time

import torch

ROUNDS = 15


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: cost.py SIZE")
    n = int(sys.argv[1])
    torch.set_num_threads(1)
    x, y, out = torch.rand(n, n), torch.rand(n, n), torch.empty(n, n)
    x_t, y_t, out_t = x.t(), y.t(), out.t()
    if not (x_t.stride() == out_t.stride() == (1, n)):
        sys.exit("the transposed tensors have other strides than expected")
    variants = {
        "warm": lambda: torch.add(x, y, out=out),  # after the products, which fill the caches
        "rows": lambda: torch.add(x, y, out=out),
        "again": lambda: torch.add(x, y, out=out),
        "transposed": lambda: torch.add(x_t, y_t, out=out_t),
        "mixed": lambda: torch.add(x, y_t, out=out),
        "contiguous": y_t.contiguous,
        "product": lambda: torch.mm(x, y, out=out),
        "product_again": lambda: torch.mm(x, y, out=out),
        "product_transposed": lambda: torch.mm(x, y_t, out=out),
    }
    samples = {name: [] for name in variants if name != "warm"}
    gc.disable()
    for turn in range(ROUNDS + 1):
        for name, run in variants.items():
            begin = time.thread_time_ns()
            run()
            spent = time.thread_time_ns() - begin
            if turn and name in samples:
                samples[name].append(spent / 1e9)
    print(json.dumps(samples))


main()
