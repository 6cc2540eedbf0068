"""What requests cost in the caching allocator: the block, and the segment that is reserved for it.

Each request meets an empty cache. Prints a line for each, then all as one JSON object.
"""

import json

import torch

KiB, MiB = 2**10, 2**20
REQUESTS = {"four": 4, "odd": 513, "mid": 300 * KiB, "small": MiB, "above": MiB + 1,
            "eight": 8 * MiB, "ten": 10 * MiB, "twelve": 12 * MiB + 1, "own": 101 * MiB}


def main():
    result = {}
    for name, n in REQUESTS.items():
        torch.cuda.empty_cache()
        tensor = torch.empty(n, dtype=torch.uint8, device="cuda")
        block, segment = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
        print(f"request {n:>11,}  block {block:>11,}  new segment {segment:>11,}")
        result |= {f"{name}_request": n, f"{name}_block": block, f"{name}_segment": segment}
        del tensor
    print(json.dumps(result))


if __name__ == "__main__":
    main()
