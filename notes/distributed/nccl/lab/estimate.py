"""What the estimate of NCCL 2.30.7 says for an all-reduce. Computed, run on no GPU.

    python3 estimate.py

The numbers are those of src/graph/tuning.cc: microseconds before the first byte, microseconds
per hop, and the caps on bandwidth. The ring's bandwidth is made up: 16 channels of 20 GB/s
between eight GPUs of one machine. Left out: NVLS, a latency of the network card, and the
factors by which the tree's bandwidth is lowered at some sizes.
"""

import json
from math import log2

PROTOCOLS = ("LL", "LL128", "Simple")
START = {"ring": (6.6, 14.0, 8.4), "tree": (6.8, 14.0, 8.4)}  # baseLatencies
NVLINK_RING = (0.6, 1.9, 3.4)  # hwLatencies, one hop inside a machine
NET_TREE = (5.0, 8.5, 14.0)  # hwLatencies, one hop between machines; also the ring's with one GPU each
CHANNELS, PER_CHANNEL = 16, 20.0
LL_MOST, LL128_MOST = 141.0, 36.7  # llMaxBws and perChMaxRingLL128Bws, one machine of Hopper GPUs


def bus_bandwidth(protocol):
    """GB/s that the estimate gives the ring inside one machine."""
    whole = CHANNELS * PER_CHANNEL
    if protocol == "LL":
        return min(LL_MOST, whole / 2)
    if protocol == "LL128":
        return min(0.92 * whole, CHANNELS * LL128_MOST)
    return whole


def in_one_machine(ranks):
    """For each protocol of the ring: microseconds, and GB/s by which the size is divided."""
    hops = 2 * (ranks - 1)
    return {
        name: (START["ring"][i] + hops * NVLINK_RING[i], bus_bandwidth(name) * ranks / hops)
        for i, name in enumerate(PROTOCOLS)
    }


def between_machines(machines):
    """Microseconds before the first byte, one GPU in each machine, protocol LL."""
    return {
        "ring": START["ring"][0] + 2 * (machines - 1) * NET_TREE[0],
        "tree": START["tree"][0] + 2 * log2(machines) * NET_TREE[0],
    }


def microseconds(size, latency, bandwidth):
    return latency + size / (1000 * bandwidth)


def best(pairs, size):
    return min(pairs, key=lambda name: microseconds(size, *pairs[name]))


def crossing(pairs, first, second):
    """The size in bytes from which ``second`` is the faster one."""
    (start, rate), (later, faster) = pairs[first], pairs[second]
    return (later - start) * 1000 / (1 / rate - 1 / faster)


def main():
    pairs = in_one_machine(8)
    result = {}
    print("ring of eight GPUs in one machine")
    print("size         LL    LL128   Simple  us   least")
    for name, size in (("8 KiB", 2**13), ("1 MiB", 2**20), ("16 MiB", 2**24), ("1 GiB", 2**30)):
        times = [microseconds(size, *pairs[p]) for p in PROTOCOLS]
        print(f"{name:7} {times[0]:8.1f} {times[1]:8.1f} {times[2]:8.1f}       {best(pairs, size)}")
    for name in PROTOCOLS:
        result[f"latency_{name}"], result[f"bandwidth_{name}"] = pairs[name]
    result["to_ll128"] = crossing(pairs, "LL", "LL128")
    result["to_simple"] = crossing(pairs, "LL128", "Simple")
    result["small_is_ll"] = int(best(pairs, 2**13) == "LL")
    result["large_is_ll"] = int(best(pairs, 2**30) == "LL")
    print("one GPU in each machine, LL: microseconds before the first byte")
    print("machines   ring   tree")
    for machines in (2, 4, 8, 16, 64, 256):
        fixed = between_machines(machines)
        print(f"{machines:8} {fixed['ring']:6.1f} {fixed['tree']:6.1f}")
        result |= {f"{name}_{machines}": value for name, value in fixed.items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
