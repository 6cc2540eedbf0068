"""Splitting, freeing and merging of large requests, in MiB: the four steps of the figure.

Prints a line for each step, then the numbers of each as one JSON object, with those of the same
steps when the second tensor is freed as well before the last request.
"""

import json

import torch
from device import numbers, tensor


def main():
    result, held = {}, {}
    for number, (what, name, size) in enumerate([
            ("request", "a", 8), ("request", "b", 6), ("free", "a", 8), ("request", "c", 12)], 1):
        if what == "request":
            held[name] = tensor(size)
        else:
            del held[name]
        now = numbers()
        print(f"{number} {what:7} {size:2}  allocated {now['allocated']:2}  reserved {now['reserved']:2}"
              f"  idle {now['idle']:2}  largest idle block {now['piece']:2}")
        result |= {f"step{number}_{key}": value for key, value in now.items()}
    held.clear()
    torch.cuda.empty_cache()
    a, b = tensor(8), tensor(6)
    del a, b
    held["c"] = tensor(12)
    result |= {f"merged_{key}": value for key, value in numbers().items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
