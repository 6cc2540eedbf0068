"""Means over micro-batches against the mean over all tokens, in exact fractions.

usage: means.py batches | weights
"""

import json
import sys
from fractions import Fraction

# Tokens that are no padding in four micro-batches, and the loss of each of them.
BATCHES = ((1000, Fraction(1)), (40, Fraction(3)), (200, Fraction(3, 2)), (10, Fraction(4)))
EQUAL = tuple((300, loss) for _, loss in BATCHES)


def mean(batches):
    return sum(count * loss for count, loss in batches) / sum(count for count, _ in batches)


def of_means(batches):
    return sum(loss for _, loss in batches) / len(batches)


def summed(batches):
    """Each micro-batch adds its sum, divided by the number of tokens in all of them."""
    everything = sum(count for count, _ in batches)
    return sum(count * loss / everything for count, loss in batches)


def batches():
    result = {
        "right": float(mean(BATCHES)),
        "naive": float(of_means(BATCHES)),
        "summed_off": float(abs(summed(BATCHES) - mean(BATCHES))),
        "naive_off": float(abs(of_means(BATCHES) - mean(BATCHES))),
        "equal_off": float(abs(of_means(EQUAL) - mean(EQUAL))),
    }
    everything = sum(count for count, _ in BATCHES)
    print(f"{'tokens':>7}{'loss of each':>14}{'weight of a token in a mean of means':>38}")
    for count, loss in BATCHES:
        weight = Fraction(everything, len(BATCHES) * count)
        result[f"weight_{count}"] = float(weight)
        print(f"{count:7}{float(loss):14.2f}{float(weight):38.4f}")
    print(f"mean over all tokens   {result['right']:.4f}")
    print(f"mean of four means     {result['naive']:.4f}")
    print(f"sums over the count    {float(summed(BATCHES)):.4f}")
    print(f"with 300 tokens in each, the mean of means is off by {result['equal_off']:.4f}")
    return result


def weighted(samples, weights):
    """The mean of nn.CrossEntropyLoss with class weights: divided by the sum of the weights."""
    return sum(weights[c] * loss for c, loss in samples) / sum(weights[c] for c, _ in samples)


def weights():
    """A rare class that weighs nine times as much, in one batch and in batches of one."""
    samples = [("common", Fraction(1, 5))] * 9 + [("rare", Fraction(2))]
    plain, nine = {"common": 1, "rare": 1}, {"common": 1, "rare": 9}
    result = {}
    print(f"{'batches of':>11}{'weights 1 and 1':>17}{'weights 1 and 9':>17}")
    for size in (10, 5, 1):
        parts = [samples[k : k + size] for k in range(0, len(samples), size)]
        means = [sum(weighted(part, w) for part in parts) / len(parts) for w in (plain, nine)]
        result |= {
            f"plain_{size}": float(means[0]),
            f"nine_{size}": float(means[1]),
            f"effect_{size}": float(abs(means[1] - means[0])),
        }
        print(f"{size:11}{float(means[0]):17.4f}{float(means[1]):17.4f}")
    return result


if __name__ == "__main__":
    print(json.dumps({"batches": batches, "weights": weights}[sys.argv[1]]()))
