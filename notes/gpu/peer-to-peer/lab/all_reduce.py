"""Counts what each rank sends in five ways to do an all-reduce. A model: no message leaves the process.

    python3 all_reduce.py    a table, then the same as JSON

Every rank begins with a vector of its own and must end with the sum of all vectors. Each way is carried
out on lists of integers, so a wrong one fails. A step is what can happen at the same time.
"""

import json
from fractions import Fraction


class Ranks:
    """The vectors of all ranks, cut into pieces, with what has been sent so far."""

    def __init__(self, count, pieces):
        self.count, self.pieces = count, pieces
        self.held = [[(rank + 1) * (piece + 1) for piece in range(pieces)] for rank in range(count)]
        self.total = [sum(column) for column in zip(*self.held, strict=True)]
        self.sent = [0] * count
        self.received = [0] * count
        self.steps = 0

    def step(self, messages, add):
        """Sends (from, to, piece) at once, each with the value from before the step."""
        values = [(source, target, piece, self.held[source][piece]) for source, target, piece in messages]
        for source, target, piece, value in values:
            self.held[target][piece] = value + (self.held[target][piece] if add else 0)
            self.sent[source] += 1
            self.received[target] += 1
        self.steps += 1

    def done(self):
        """Steps, and in units of the vector: all that was sent, the most by a rank, the most to a rank."""
        assert all(vector == self.total for vector in self.held)
        parts = (sum(self.sent), max(self.sent), max(self.received))
        return [self.steps, *(float(Fraction(each, self.pieces)) for each in parts)]


def ring(n):
    """A piece for each rank; each goes around once to be summed and once more to be handed out."""
    ranks = Ranks(n, n)
    for phase, add in ((0, True), (1, False)):
        for i in range(n - 1):
            ranks.step([(r, (r + 1) % n, (r - i + phase) % n) for r in range(n)], add)
    return ranks.done()


def direct(n):
    """The same pieces, sent straight to their owner and back: needs a path from each to each."""
    ranks = Ranks(n, n)
    for add in (True, False):
        pairs = [(r, other) for r in range(n) for other in range(n) if other != r]
        ranks.step([(r, other, other if add else r) for r, other in pairs], add)
    return ranks.done()


def tree(n):
    """The whole vector goes up a binary tree to rank 0 and down again. Takes powers of two."""
    ranks = Ranks(n, 1)
    strides = [1 << i for i in range(n.bit_length() - 1)]
    for stride in strides:
        ranks.step([(r, r - stride, 0) for r in range(stride, n, 2 * stride)], add=True)
    for stride in reversed(strides):
        ranks.step([(r - stride, r, 0) for r in range(stride, n, 2 * stride)], add=False)
    return ranks.done()


def chain(n):
    """The whole vector goes along a chain and back, without cutting it into pieces."""
    ranks = Ranks(n, 1)
    for r in range(n - 1, 0, -1):
        ranks.step([(r, r - 1, 0)], add=True)
    for r in range(1, n):
        ranks.step([(r - 1, r, 0)], add=False)
    return ranks.done()


def collect(n):
    """Rank 0 gets all vectors and sends the sum to everybody."""
    ranks = Ranks(n, 1)
    ranks.step([(r, 0, 0) for r in range(1, n)], add=True)
    ranks.step([(0, r, 0) for r in range(1, n)], add=False)
    return ranks.done()


WAYS = {"ring": ring, "direct": direct, "chain": chain, "tree": tree, "collect": collect}


def main():
    result = {}
    print("sent and received in units of the vector")
    print(f"{'ranks':>5}  {'way':<8} {'steps':>5} {'all sent':>9} {'most sent':>10} {'most received':>14}")
    for n in (2, 4, 8, 16):
        for name, way in WAYS.items():
            steps, total, sent, received = way(n)
            for key, value in (("steps", steps), ("all", total), ("sent", sent), ("received", received)):
                result[f"{name}_{n}_{key}"] = value
            if n in (4, 8):
                print(f"{n:>5}  {name:<8} {steps:>5} {total:>9.2f} {sent:>10.3f} {received:>14.3f}")
    print(json.dumps(result))


main()
