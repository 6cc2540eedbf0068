"""Sums of many equal parts: one after another in a narrow format, and in one call of PyTorch.

    python3 sums.py PARTS    PARTS is a power of two; a table, then JSON

The last rows accumulate the gradients of PARTS micro-batches, each 1 / PARTS, in the parameter's grad.
"""

import json
import sys

import torch


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: sums.py PARTS")
    torch.set_num_threads(1)
    parts = int(arguments[0])
    result = {"parts": parts}
    print(f"{'what':34}{'float16':>10}{'bfloat16':>10}{'float32':>10}")
    rows = {"added one after another": [], "one call of sum()": [], "grad of all micro-batches": []}
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        ones, total = torch.ones(parts, dtype=dtype), torch.zeros((), dtype=dtype)
        for one in ones:
            total = total + one
        weight = torch.nn.Parameter(torch.ones((), dtype=dtype))
        for _ in range(parts):
            (weight * (1 / parts)).backward()
        name = str(dtype).removeprefix("torch.")
        for (what, row), value in zip(rows.items(), (total, ones.sum(), weight.grad)):
            row.append(value.item())
            result[f"{name}_{what.split()[0]}"] = value.item()
    for what, row in rows.items():
        print(f"{what:34}" + "".join(f"{value:10g}" for value in row))
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
