"""All-reduce in a ring, in one tree and in two trees: what each rank sends, and in how many steps.

    python3 allreduce.py    counts, and whether each rank ends with the sum

No network and no time: the ranks are lists, and a message is a copy that is counted. A step is
one round in which ranks that have their data send at the same time. The trees have the shape of
NCCL's: every second rank is a leaf of the first tree and an inner rank of the second.
"""

import json
from fractions import Fraction

COUNTS = (2, 4, 8, 16, 64, 256)


def start(ranks):
    """A vector of ``2 * ranks`` numbers for each rank."""
    return [[(rank + 1) * (i + 3) for i in range(2 * ranks)] for rank in range(ranks)]


def ring(ranks, left_out=0):
    """Reduce-scatter, then all-gather: a part of the vector goes to the neighbour in each step.

    ``left_out`` steps at the end are not done: the control of the sums.
    """
    data, sent, steps = start(ranks), [0] * ranks, 0
    for phase in ("reduce", "gather"):
        for step in range(ranks - 1 - (phase == "gather") * left_out):
            moves = []
            for rank in range(ranks):
                part = (rank - step + (phase == "gather")) % ranks
                moves.append((rank, (rank + 1) % ranks, part, data[rank][2 * part : 2 * part + 2]))
            for source, target, part, values in moves:
                sent[source] += len(values)
                for i, value in enumerate(values):
                    old = data[target][2 * part + i] if phase == "reduce" else 0
                    data[target][2 * part + i] = old + value
            steps += 1
    return data, sent, steps


def tree(ranks):
    """The parent of each rank, None for rank 0: a rank hangs below the one whose lowest bit is twice its own."""
    parents = [None]
    for rank in range(1, ranks):
        bit = rank & -rank
        up = (rank ^ bit) | (bit << 1)
        parents.append(up if up < ranks else rank ^ bit)
    return parents


def mirrored(parents):
    """The same tree with the ranks counted from the other end."""
    last = len(parents) - 1
    return [None if p is None else last - p for p in reversed(parents)]


def chain(ranks):
    """Each rank below the one before it."""
    return [None, *range(ranks - 1)]


def depth(parents, rank):
    return 0 if parents[rank] is None else 1 + depth(parents, parents[rank])


def along(trees, ranks):
    """Sum up to the root and copy down, each tree with its own share of the vector, all at once."""
    data, sent = start(ranks), [0] * ranks
    share = len(data[0]) // len(trees)
    steps = 0
    for number, parents in enumerate(trees):
        low, high = number * share, (number + 1) * share
        level = [depth(parents, rank) for rank in range(ranks)]
        order = sorted(range(ranks), key=lambda rank: -level[rank])
        for rank in order:
            if parents[rank] is not None:
                up = data[parents[rank]]
                up[low:high] = [a + b for a, b in zip(up[low:high], data[rank][low:high], strict=True)]
                sent[rank] += share
        for rank in reversed(order):
            if parents[rank] is not None:
                data[rank][low:high] = data[parents[rank]][low:high]
                sent[parents[rank]] += share
        steps = max(steps, 2 * max(level))
    return data, sent, steps


def ways(ranks):
    one = tree(ranks)
    return {
        "ring": ring(ranks),
        "tree": along([one], ranks),
        "trees": along([one, mirrored(one)], ranks),
        "chain": along([chain(ranks)], ranks),
    }


def main():
    result, right, cut = {}, 0, 0
    print("       steps        sent by the busiest rank    mean of the ranks    2(n-1)/n")
    print("ranks  ring  trees  ring  one tree  two trees       ring  two trees")
    for ranks in COUNTS:
        done = ways(ranks)
        size = 2 * ranks
        whole = [sum(column) for column in zip(*start(ranks), strict=True)]
        right += sum(data == [whole] * ranks for data, _, _ in done.values())
        cut += ring(ranks, left_out=1)[0] == [whole] * ranks
        for name, (_, sent, steps) in done.items():
            result[f"{name}_steps_{ranks}"] = steps
            result[f"{name}_busiest_{ranks}"] = float(Fraction(max(sent), size))
            result[f"{name}_mean_{ranks}"] = float(Fraction(sum(sent), ranks * size))
        at = lambda key, ranks=ranks: result[f"{key}_{ranks}"]  # noqa: E731
        print(
            f"{ranks:5} {at('ring_steps'):5} {at('trees_steps'):6}"
            f" {at('ring_busiest'):5.2f} {at('tree_busiest'):9.2f} {at('trees_busiest'):10.2f}"
            f" {at('ring_mean'):10.3f} {at('trees_mean'):10.3f} {2 * (ranks - 1) / ranks:11.3f}"
        )
    print(f"right sums: {right} of {4 * len(COUNTS)} runs; a ring without its last step: {cut} of {len(COUNTS)}")
    print(json.dumps(result | {"right": right, "right_cut": cut}))


if __name__ == "__main__":
    main()
