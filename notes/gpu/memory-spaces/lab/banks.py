"""Counts the passes that one request of a warp to shared memory takes. A model: nothing is measured.

    python3 banks.py    a table, then the same as JSON

Word w (4 bytes) lies in bank w % 32. In one pass each bank hands out one word, to all lanes that
want it. Requests of 8 bytes a lane are served 16 lanes at a time, those of 16 bytes 8 at a time.
"""

import json
from collections import Counter

LANES, BANKS, WORD, SECTOR = 32, 32, 4, 32


def passes(addresses, size=WORD):
    """The passes of one request in which each lane reads or writes `size` bytes."""
    together = LANES * WORD // max(size, WORD)
    total = 0
    for first in range(0, LANES, together):
        served = addresses[first : first + together]
        words = {(each + byte) // WORD for each in served for byte in range(size)}
        total += max(Counter(word % BANKS for word in words).values())
    return total


def lanes(stride, size=WORD):
    """The addresses of lanes that stand `stride` elements apart."""
    return [lane * stride * size for lane in range(LANES)]


def swizzled(row, column):
    """The address in a tile of 32 rows, in which row r keeps column c at place c ^ r."""
    return WORD * (32 * row + (column ^ row))


def local_sectors(indices):
    """The sectors of a request to local memory: word i of the 32 lanes lies side by side."""
    return len({WORD * (LANES * index + lane) // SECTOR for lane, index in enumerate(indices)})


# name: (what it is, the addresses of the lanes, bytes per lane)
PATTERNS = {
    "stride_0": ("all lanes the same float", lanes(0), 4),
    "stride_1": ("neighbours", lanes(1), 4),
    "permuted": ("neighbours, in another order", [WORD * (i * 13 % 32) for i in range(LANES)], 4),
    "stride_2": ("every 2nd float", lanes(2), 4),
    "stride_3": ("every 3rd float", lanes(3), 4),
    "stride_4": ("every 4th float", lanes(4), 4),
    "stride_6": ("every 6th float", lanes(6), 4),
    "stride_8": ("every 8th float", lanes(8), 4),
    "stride_12": ("every 12th float", lanes(12), 4),
    "stride_16": ("every 16th float", lanes(16), 4),
    "stride_32": ("a column of float[32][32]", lanes(32), 4),
    "stride_33": ("a column of float[32][33]", lanes(33), 4),
    "swizzled_column": ("a column, swizzled", [swizzled(row, 5) for row in range(LANES)], 4),
    "swizzled_row": ("a row, swizzled", [swizzled(5, column) for column in range(LANES)], 4),
    "columns": ("histogram[16][256], own column", [4 * (256 * (i % 16) + i) for i in range(32)], 4),
    "half_64": ("a column of half[64][64]", lanes(64, 2), 2),
    "half_65": ("a column of half[64][65]", lanes(65, 2), 2),
    "half_66": ("a column of half[64][66]", lanes(66, 2), 2),
    "double_1": ("double, neighbours", lanes(1, 8), 8),
    "double_2": ("double, every 2nd", lanes(2, 8), 8),
    "float4_1": ("float4, neighbours", lanes(1, 16), 16),
    "float4_2": ("float4, every 2nd", lanes(2, 16), 16),
}


def main():
    result = {}
    print(f"{'pattern':<30} {'bytes':>5} {'passes':>6}")
    for name, (what, addresses, size) in PATTERNS.items():
        result[name] = passes(addresses, size)
        print(f"{what:<30} {LANES * size:>5} {result[name]:>6}")
    result["local_same"] = local_sectors([7] * LANES)
    result["local_own"] = local_sectors([lane % 16 for lane in range(LANES)])
    print(json.dumps(result))


if __name__ == "__main__":
    main()
