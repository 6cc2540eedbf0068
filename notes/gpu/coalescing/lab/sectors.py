"""Counts the 32-byte sectors that one load or store of a warp touches. A model: nothing is measured.

    python3 sectors.py    a table, then the same as JSON

A request has the addresses of 32 lanes. It touches a sector once, however many lanes fall in it.
"""

import json

LANES, SECTOR, FLOAT = 32, 32, 4


def sectors(addresses, size=FLOAT):
    """How many sectors the lanes touch; each lane reads `size` bytes at its address."""
    return len({byte // SECTOR for each in addresses for byte in range(each, each + size, FLOAT)})


def lanes(stride, offset=0):
    """The addresses of lanes that stand `stride` floats apart, the first `offset` floats in."""
    return [FLOAT * (lane * stride + offset) for lane in range(LANES)]


def shuffled():
    """Neighbouring floats, in an order of their own."""
    return [FLOAT * (lane * 13 % LANES) for lane in range(LANES)]


# name: (what it is, the requests of one warp, bytes per lane and request)
PATTERNS = {
    "stride_1": ("neighbours", [lanes(1)], 4),
    "permuted": ("neighbours, in another order", [shuffled()], 4),
    "same": ("all lanes the same float", [lanes(0)], 4),
    "offset_1": ("neighbours, one float off", [lanes(1, 1)], 4),
    "offset_8": ("neighbours, eight floats off", [lanes(1, 8)], 4),
    "stride_2": ("every second float", [lanes(2)], 4),
    "stride_4": ("every fourth float", [lanes(4)], 4),
    "stride_8": ("every eighth float", [lanes(8)], 4),
    "stride_1024": ("a column of 1024 floats", [lanes(1024)], 4),
    "float4": ("float4, neighbours", [lanes(4)], 16),
    "four_loads": ("the same 16 bytes in four loads", [lanes(4, i) for i in range(4)], 4),
    "naive": ("naive matrix product, one step", [lanes(4096), lanes(0)], 4),
    "swapped": ("the same with indices swapped", [lanes(0), lanes(1)], 4),
    "three_loads": ("struct of three floats", [lanes(3, i) for i in range(3)], 4),
}


def main():
    result = {}
    print(f"{'pattern':<32} {'requests':>8} {'sectors':>7}  used of touched")
    for name, (what, requests, size) in PATTERNS.items():
        count = sum(sectors(each, size) for each in requests)
        used = sum(len({b for a in each for b in range(a, a + size)}) for each in requests)
        result[name] = count
        result[f"{name}_used"] = used
        result[f"{name}_touched"] = count * SECTOR
        share = f"{used} of {count * SECTOR} B"
        print(f"{what:<32} {len(requests):>8} {count:>7}  {share}")
    print(json.dumps(result))


main()
