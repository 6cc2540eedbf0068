"""Softmax and attention in one pass over the keys, against the three passes of the definition.

The running maximum and sum are corrected whenever a later block has a larger score. Prints the
largest differences in float64, and how many scores each way has to keep at once.
"""

import json

import numpy as np

KEYS, WIDTH, BLOCK = 4096, 64, 128


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def attention(q, k, v):
    return softmax(q @ k.T) @ v


def attention_in_blocks(q, k, v, correct=True):
    """The same from blocks of keys and values, of which none is seen twice."""
    top = np.full((len(q), 1), -np.inf)
    total, result = np.zeros((len(q), 1)), np.zeros((len(q), v.shape[1]))
    for start in range(0, len(k), BLOCK):
        scores = q @ k[start : start + BLOCK].T
        higher = np.maximum(top, scores.max(axis=-1, keepdims=True))
        weights = np.exp(scores - higher)
        old = np.exp(top - higher) if correct else 1.0
        total = total * old + weights.sum(axis=-1, keepdims=True)
        result = result * old + weights @ v[start : start + BLOCK]
        top = higher
    return result / total


if __name__ == "__main__":
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((KEYS, WIDTH)) for _ in range(3))
    expected = attention(q, k, v)
    largest = np.abs(expected).max()
    same = np.abs(attention_in_blocks(q, k, v) - expected).max() / largest
    uncorrected = (
        np.abs(attention_in_blocks(q, k, v, correct=False) - expected).max() / largest
    )
    print(f"in blocks            differs by {same:.1e} of the largest element")
    print(f"without correction   differs by {uncorrected:.1e}")
    print(
        f"scores at once, for {BLOCK} queries: {BLOCK * BLOCK} instead of {BLOCK * KEYS}"
    )
    result = {
        "same": same,
        "uncorrected": uncorrected,
        "scores_block": BLOCK * BLOCK,
        "scores_all": BLOCK * KEYS,
    }
    print(json.dumps(result))
