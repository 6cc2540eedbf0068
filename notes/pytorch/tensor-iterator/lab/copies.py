"""Copies and temporary memory that types cost on the CPU, as a table; the last line is JSON.

copies     calls of aten::copy_ that the profiler sees
temporary  bytes allocated beside the result, of the bytes of a float32 operand
"""

import json
import sys

import torch
from torch.profiler import ProfilerActivity, profile

SIZE = 512


def cases():
    x, y = torch.rand(SIZE, SIZE), torch.rand(SIZE, SIZE)
    double, half = y.double(), y.half()
    integer = torch.randint(1, 9, (SIZE, SIZE))
    number = torch.tensor(2.0, dtype=torch.float64)
    wide = torch.empty(SIZE, SIZE, dtype=torch.float64)
    target = torch.rand(SIZE, SIZE)
    return {
        "same": ("float32 * float32", lambda: x * y),
        "half": ("float32 * float16", lambda: x * half),
        "double": ("float32 * float64", lambda: x * double),
        "integer": ("float32 * int64", lambda: x * integer),
        "zero_dim": ("float32 * float64, 0-dim", lambda: x * number),
        "compare": ("float32 < float64", lambda: x < double),
        "divide": ("int64 / int64", lambda: integer / integer),
        "wide_out": ("float32 * float32, out float64", lambda: torch.mul(x, y, out=wide)),
        "in_place": ("float32 *= float64", lambda: target.mul_(double)),
    }


def recorded(work):
    """Copies, and bytes that were allocated beside what the result keeps."""
    work()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        result = work()
    copies = sum(e.name == "aten::copy_" for e in seen.events())
    sizes = [e.bytes for e in memory_events(seen) if e.bytes > 0]
    return copies, sizes, result


class Allocation:
    def __init__(self, nbytes):
        self.bytes = nbytes


def memory_events(seen):
    for event in seen.profiler.kineto_results.events():
        if event.name() == "[memory]":
            yield Allocation(event.nbytes())


def main():
    if len(sys.argv) > 1:
        sys.exit("usage: copies.py")
    torch.set_num_threads(1)
    operand = SIZE * SIZE * 4
    counts = {}
    print(f"{'expression':34}{'result':10}{'copies':>6}{'temporary':>11}")
    for name, (words, work) in cases().items():
        copies, sizes, result = recorded(work)
        own = 0 if name in ("wide_out", "in_place") else result.numel() * result.element_size()
        temporary = sum(sizes) - own
        dtype = str(result.dtype).removeprefix("torch.")
        print(f"{words:34}{dtype:10}{copies:6}{temporary / operand:10.2f}x")
        counts[f"{name}_copies"] = copies
        counts[f"{name}_temporary"] = temporary
        counts[f"{name}_bits"] = result.element_size() * 8
    counts["operand"] = operand
    print(json.dumps(counts))


main()
