"""What settings of the allocator change: four small cases, in MiB, each with an empty cache.

The settings are those of the environment. Prints a line for each case, then JSON.
"""

import json

import torch
from device import numbers, tensor


def segment():
    """Whether a segment is expandable."""
    held = tensor(30)
    found = [int(segment["is_expandable"]) for segment in torch.cuda.memory_snapshot()]
    return {"segments": len(found), "expandable": sum(found), "request": held.numel() >> 20}


def split():
    """A request of 40 while 100 are cached, then one of 90."""
    tensor(100)
    held = [tensor(40)]
    first = numbers()
    held.append(tensor(90))
    second = numbers()
    return {"first": first["reserved"], "allocated": second["allocated"], "reserved": second["reserved"]}


def round_up():
    """The block of a request of 21."""
    held = tensor(21)
    return {"request": held.numel() >> 20, "block": numbers()["allocated"]}


def collect():
    """Segments that are given back while requests of 60 to 120, each freed at once, and of 200 come."""
    before = numbers()
    for size in (*range(60, 130, 10), 200):
        held = [tensor(size)]
        after = numbers()
        held.clear()
    return {"frees": after["frees"] - before["frees"], "reserved": after["reserved"]}


def main():
    result = {}
    for case in (segment, split, round_up, collect):
        torch.cuda.empty_cache()
        found = case()
        print(f"{case.__name__:8}", *(f" {key} {value}" for key, value in found.items()))
        result |= {f"{case.__name__}_{key}": value for key, value in found.items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
