"""Tiles, waves and the share of the multiprocessors' time that a matrix product can use.

A model: equal tiles, one tile at a time on each multiprocessor, the last wave as long as the others.
"""

import json
from math import ceil

SMS, TILE_M, TILE_N = 108, 256, 128  # an A100 and the tile of the guide's example
M = 2304


def waves(m, n, tile_m=TILE_M, tile_n=TILE_N, sms=SMS):
    tiles = ceil(m / tile_m) * ceil(n / tile_n)
    rounds = ceil(tiles / sms)
    return tiles, rounds, m * n / (rounds * sms * tile_m * tile_n)


if __name__ == "__main__":
    result = {"edge_even": waves(256, 256, 128, 128)[0], "edge_odd": waves(257, 256, 128, 128)[0]}
    print("    N  tiles  waves  useful")
    for n in (1024, 1280, 1408, 1536, 1537, 1792, 2048, 2560, 3072, 3073, 3584, 4608, 4609, 6144):
        tiles, rounds, share = waves(M, n)
        result |= {f"tiles_{n}": tiles, f"waves_{n}": rounds, f"share_{n}": 100 * share}
        print(f"{n:5d} {tiles:6d} {rounds:6d} {share:7.0%}")
    print(json.dumps(result))
