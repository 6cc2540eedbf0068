"""What is reserved after each of ten steps that hold eight tensors each, of another size in each step.

    python3 growth.py shortest    the sizes grow from 20 to 38 MiB
    python3 growth.py longest     the same sizes, the largest first

Every step frees what it holds. Prints a line for each step, then JSON.
"""

import json
import sys

import torch
from device import numbers, tensor

SIZES = range(20, 40, 2)


def main(first):
    result = {}
    for step, size in enumerate(SIZES if first == "shortest" else reversed(SIZES), 1):
        held = [tensor(size) for _ in range(8)]
        now = numbers()
        del held
        print(f"step {step:2}  8 x {size}  allocated {now['allocated']:4}  reserved {now['reserved']:4}")
        result[f"reserved_{step}"] = now["reserved"]
    peak = torch.cuda.max_memory_allocated() // 2**20
    print(json.dumps(result | numbers() | {"peak": peak}))


if __name__ == "__main__":
    main(sys.argv[1])
