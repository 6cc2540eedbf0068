"""What an all-reduce sends, counted among processes, and what follows from the counts.

    python3 collectives.py count    rounds, messages and bytes of five algorithms, and the right sum
    python3 collectives.py nodes    bytes that cross between two nodes of eight ranks
    python3 collectives.py late     who waits for one rank that comes late
    python3 collectives.py order    in how many ways equal numbers add up
    python3 collectives.py model    time by the counts, for a start per message and a bandwidth
"""

import json
import sys
from array import array
from math import ceil, floor, log2

import algorithms
from world import run

NUMBERS = 1920  # 8 bytes each: divisible by 12 and 16, and a message fits into a socket's buffer
BYTES = 8 * NUMBERS
START, BANDWIDTH = 5e-6, 12.5e9  # seconds for each message; bytes per second
SIZES = {"4 KiB": 2**12, "64 KiB": 2**16, "256 KiB": 2**18, "1 MiB": 2**20, "4 MiB": 2**22, "64 MiB": 2**26}


def vector(rank):
    return array("q", [(rank + 1) * (i + 3) for i in range(NUMBERS)])


def reduced(function, size, **options):
    """Runs an all-reduce among processes: counts of each rank, and how many of them have the sum."""

    def work(rank):
        x = vector(rank.number)
        function(rank, x, **options)
        return x == array("q", [size * (size + 1) // 2 * (i + 3) for i in range(NUMBERS)])

    ranks = run(size, work)
    return ranks, sum(r["result"] for r in ranks)


def formula(name, p):
    """Messages one after the other, and bytes one after the other in vectors."""
    low, high = floor(log2(p)), ceil(log2(p))
    fold = 2 * (high - low)  # one round before and one after, unless p is a power of two
    messages, vectors = {
        "star": (2 * (p - 1), 2 * (p - 1)),
        "ring": (2 * (p - 1), 2 * (p - 1) / p),
        "tree": (2 * high, 2 * high),
        "doubling": (low + fold, low + fold),
        "halving": (2 * low + fold, 2 * (1 - 0.5**low) + fold),
    }[name]
    return messages, round(vectors, 9)


def count():
    out = {"right": 0, "formulas": 0, "formulas_wrong": 0}
    print("                         vectors   sent by one rank       sent by all")
    print("all-reduce      rounds  in a row   most   mean  least  vectors messages")
    for p in (2, 4, 6, 8, 12, 16):
        for name, function in algorithms.ALL.items():
            ranks, right = reduced(function, p)
            out["right"] += right == p
            rounds = max(r["rounds"] for r in ranks)
            behind = max(r["behind"] for r in ranks) / BYTES
            sent = [sum(r["sent"].values()) / BYTES for r in ranks]
            messages = sum(r["messages"] for r in ranks)
            counted = (rounds, round(behind, 9))
            out["formulas"] += counted == formula(name, p)
            out["formulas_wrong"] += counted == formula("ring" if name == "tree" else "tree", p)
            out |= {
                f"{name}_rounds_{p}": rounds,
                f"{name}_row_{p}": behind,
                f"{name}_most_{p}": max(sent),
                f"{name}_mean_{p}": sum(sent) / p,
                f"{name}_least_{p}": min(sent),
                f"{name}_all_{p}": sum(sent),
            }
            if p in (12, 16):
                print(
                    f"{p:2} {name:11} {rounds:7} {behind:9.2f} {max(sent):6.2f} {sum(sent) / p:6.2f} {min(sent):6.2f}"
                    f" {sum(sent):8.0f} {messages:8}"
                )
    print(f"right sums in {out['right']} of 30 runs; rounds and bytes as the formulas say in {out['formulas']}")
    out["right_cut"] = sum(reduced(algorithms.ring, p, left_out=1)[1] == p for p in (2, 4, 6, 8, 12, 16))
    print(f"a ring without its last step: {out['right_cut']} of 6 right")
    return out


def nodes():
    """Ranks 0 to 7 and 8 to 15 on a node each, or even and odd ones."""
    out = {}
    ways = {**algorithms.ALL, "halving_far_first": algorithms.halving_far}
    print("16 ranks on two nodes      vectors that cross, there and back")
    print("node of a rank             0-7 and 8-15   even and odd")
    for name, function in ways.items():
        ranks, _ = reduced(function, 16)
        for place, node in {"block": lambda r: r // 8, "dealt": lambda r: r % 2}.items():
            links = [(r, to, size) for r, one in enumerate(ranks) for to, size in one["sent"].items()]
            out[f"{name}_{place}"] = sum(size for r, to, size in links if node(r) != node(to)) / BYTES
        print(f"{name:24} {out[name + '_block']:14.2f} {out[name + '_dealt']:14.2f}")
    return out


def late():
    """One rank of 16 begins after 100 rounds: how many ranks end after that?"""
    out = {}

    def waiting(function, who):
        return sum(r["rounds"] >= 100 for r in run(16, lambda rank: function(rank, vector(rank.number)), late=who))

    print("16 ranks, one of them late      ranks that end late")
    for name, function in algorithms.ALL.items():
        out[name] = min(waiting(function, who) for who in range(16))
        print(f"{'all-reduce, ' + name:22} any {out[name]:16}")
    for name, function in {"broadcast": algorithms.broadcast_tree, "reduce": algorithms.reduce_tree}.items():
        for who in (15, 8):
            out[f"{name}_{who}"] = waiting(function, who)
            print(f"{name + ' in a tree':22} {who:3} {out[f'{name}_{who}']:16}")
    out["all"] = min(out[name] for name in algorithms.ALL)
    return out


def order():
    """Each rank has one number, repeated along the vector. One sum, or several, after rounding?"""
    out, firsts = {}, set()
    print("16 ranks, doubles   different sums in a vector   ranks that agree")
    for name, function in algorithms.ALL.items():

        def work(rank, function=function):
            x = array("d", [0.1 * (rank.number + 1)] * NUMBERS)
            function(rank, x)
            return x

        results = [r["result"] for r in run(16, work)]
        firsts.add(results[0][0])
        out[f"{name}_sums"] = max(len(set(x)) for x in results)
        out[f"{name}_agree"] = sum(x == results[0] for x in results)
        print(f"{name:18} {out[f'{name}_sums']:27} {out[f'{name}_agree']:18}")
    out["firsts"] = len(firsts)
    out["agree"] = min(out[f"{name}_agree"] for name in algorithms.ALL)
    print(f"first number of the vector: {out['firsts']} different sums from five algorithms")
    return out


def seconds(name, p, size):
    messages, vectors = formula(name, p)
    return messages * START + vectors * size / BANDWIDTH


def crossing(p, first, second):
    """From which size the second is faster."""
    (a, b), (c, d) = formula(first, p), formula(second, p)
    return (c - a) * START * BANDWIDTH / (b - d)


def model():
    out = {}
    names = ("doubling", "halving", "ring", "tree")
    print("microseconds, 5 for each message and 12.5 GB/s")
    print("ranks  size    " + "".join(f"{name:>10}" for name in names) + "  least")
    for p in (16, 12):
        for size, length in SIZES.items():
            times = {name: seconds(name, p, length) * 1e6 for name in names}
            least = min(times, key=times.get)
            print(f"{p:5}  {size:8}" + "".join(f"{t:10.1f}" for t in times.values()) + f"  {least}")
            for name, t in times.items():
                out[f"{name}_{p}_{size.replace(' ', '')}"] = t
    grid = [2 ** (k / 4) for k in range(12, 140)]  # 8 bytes to 25 GiB
    for p in (16, 12):
        winners = [min(names, key=lambda name: seconds(name, p, size)) for size in grid]
        for name in names:
            out[f"wins_{name}_{p}"] = winners.count(name)
        print(f"{p} ranks, sizes of {len(grid)} won: " + ", ".join(f"{n} {winners.count(n)}" for n in names))
    pairs = {"halving": ("doubling", "halving"), "ring_tree": ("tree", "ring"), "ring": ("halving", "ring")}
    print("from which size, in KiB:   16 ranks        64      1024        12")
    for what, (first, second) in pairs.items():
        sizes = {}
        for p in (16, 64, 1024, 12):
            if formula(first, p)[1] > formula(second, p)[1]:
                sizes[p] = crossing(p, first, second)
                out[f"from_{what}_{p}"] = sizes[p]
        row = "".join(f"{sizes[p] / 1024:10.0f}" if p in sizes else "     never" for p in (16, 64, 1024, 12))
        print(f"{first + ' to ' + second:24} {row}")
    return out


if __name__ == "__main__":
    print(json.dumps({"count": count, "nodes": nodes, "late": late, "order": order, "model": model}[sys.argv[1]]()))
