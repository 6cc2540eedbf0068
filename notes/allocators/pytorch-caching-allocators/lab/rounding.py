"""The caching allocator's documented rules for sizes, as code: a model, not a run of the allocator.

Prints what each request gets from an empty cache, then the same as one JSON object.
"""

import json

MiB, KiB = 2**20, 2**10
REQUESTS = {"four": 4, "odd": 513, "mid": 300 * KiB, "small": MiB, "above": MiB + 1,
            "eight": 8 * MiB, "ten": 10 * MiB, "twelve": 12 * MiB + 1, "own": 101 * MiB}


def block_and_segment(n):
    size = max(512, -(-n // 512) * 512)              # every request: multiple of 512 B
    if size <= 1 * MiB:                              # small pool
        return size, 2 * MiB
    if size < 10 * MiB:                              # large pool, shared segment
        return size, 20 * MiB
    return size, -(-size // (2 * MiB)) * 2 * MiB     # large pool, own segment


def main():
    result = {}
    for name, n in REQUESTS.items():
        size, seg = block_and_segment(n)
        rest = seg - size
        own = size >= 10 * MiB and rest <= MiB       # remainder too small to split off
        block = seg if own else size
        print(f"request {n:>11,}  block {block:>11,}  new segment {seg:>11,}")
        result |= {f"{name}_block": block, f"{name}_segment": seg,
                   f"{name}_request": n}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
