"""Cross-entropy, divergence, likelihood and perplexity of one text, and where they stop being one.

usage: same.py code | minima | smoothing | tokens
"""

import json
import math
import random
import sys
from collections import Counter
from functools import partial

# Frequencies and a wrong model of them; powers of two, so that code lengths are whole bits.
TRUE = {"a": 1 / 2, "b": 1 / 4, "c": 1 / 8, "d": 1 / 8}
MODEL = {"a": 1 / 8, "b": 1 / 8, "c": 1 / 4, "d": 1 / 2}
LENGTH = 8000


def text():
    symbols = [s for s, p in TRUE.items() for _ in range(round(p * LENGTH))]
    random.Random(1).shuffle(symbols)
    return symbols


def cross(p, q):
    """Nats per symbol if the symbols come from p and the model is q."""
    return -sum(p[s] * math.log(q[s]) for s in p if p[s])


def divergence(p, q):
    return cross(p, q) - cross(p, p)


def prefix_code(q):
    """Codewords of -log2 q bits, none the beginning of another, for q of powers of two."""
    words, following = {}, 0
    lengths = {s: round(-math.log2(q[s])) for s in q}
    longest = max(lengths.values())
    for s in sorted(q, key=lambda s: lengths[s]):
        words[s] = format(following >> (longest - lengths[s]), f"0{lengths[s]}b")
        following += 1 << (longest - lengths[s])
    return words


def code():
    """Writes the text in the code made for the model, and in its own, and counts the bits."""
    symbols = text()
    share = {s: count / LENGTH for s, count in Counter(symbols).items()}
    result = {}
    print(
        f"{'code made for':18}{'bits':>7}{'per symbol':>12}{'cross-entropy':>15}{'nats':>8}{'perplexity':>12}"
    )
    for name, words, q in (("own", "the text itself", TRUE), ("other", "the wrong model", MODEL)):
        bits = len("".join(prefix_code(q)[s] for s in symbols))
        nats = cross(share, q)
        result |= {
            f"{name}_bits": bits,
            f"{name}_per": bits / LENGTH,
            f"{name}_cross": nats / math.log(2),
            f"{name}_nats": nats,
            f"{name}_perplexity": math.exp(nats),
        }
        print(
            f"{words:18}{bits:7}{bits / LENGTH:12.3f}{nats / math.log(2):15.3f}{nats:8.3f}{math.exp(nats):12.3f}"
        )
    likelihood, zero = 1.0, 0
    for place, s in enumerate(symbols, 1):
        likelihood *= MODEL[s]
        if not likelihood:
            zero = place
            break
    logs = math.fsum(math.log2(MODEL[s]) for s in symbols)
    result |= {
        "extra": result["other_bits"] - result["own_bits"],
        "divergence": divergence(share, MODEL) / math.log(2),
        "log2_likelihood": -logs,
        "zero_at": zero,
        "off": abs(result["other_bits"] - LENGTH * result["other_cross"]),
        "off_own": abs(result["other_bits"] - LENGTH * result["own_cross"]),
    }
    print(f"bits more than necessary: {result['extra']} = {LENGTH} * {result['divergence']:.3f}")
    print(
        f"-log2 of the likelihood: {-logs:.0f}; the product of probabilities is 0 after {zero} symbols"
    )
    return result


def minima():
    """Which member of a family each quantity prefers; the family does not contain the text."""
    share = {"a": 0.500, "b": 0.005, "c": 0.005, "d": 0.490}
    counts = {s: round(1000 * p) for s, p in share.items()}

    def member(t):
        powers = {s: math.exp(t * k) for k, s in enumerate("abcd")}
        return {s: value / sum(powers.values()) for s, value in powers.items()}

    family = [-6 + k / 100 for k in range(1201)]
    quantities = {
        "cross-entropy": lambda q: cross(share, q),
        "divergence": lambda q: divergence(share, q),
        "-log likelihood": lambda q: -sum(counts[s] * math.log(q[s]) for s in q),
        "perplexity": lambda q: math.exp(cross(share, q)),
        "divergence, reversed": lambda q: divergence(q, share),
    }
    best, result = {}, {}
    print(f"{'least':22}{'at':>7}{'value':>10}   model")
    for name, value in quantities.items():
        best[name] = min(family, key=lambda t: (round(value(member(t)), 9), -t))
        q = member(best[name])
        shown = " ".join(f"{p:.2f}" for p in q.values())
        print(f"{name:22}{best[name]:7.2f}{value(q):10.3f}   {shown}")
    first = best["cross-entropy"]
    names = list(quantities)
    result["apart"] = max(abs(best[name] - first) for name in names[:4])
    result["reversed_apart"] = abs(best[names[4]] - first)
    result["reversed_at"] = best[names[4]]
    return result


def smoothed(right, wrong, classes, z):
    """The loss if the right logit is z and the others are 0."""
    log_sum = z + math.log1p((classes - 1) * math.exp(-z))
    return right * (log_sum - z) + (classes - 1) * wrong * log_sum


def smoothing():
    """The least loss that a label smoothed by 0.1 allows, and the logit that gives it."""
    result = {}
    rate = 0.1
    print(
        f"{'classes':>8}{'least loss':>12}{'its logit':>11}{'loss at logit 20':>18}{'unsmoothed':>12}"
    )
    for classes in (10, 1000, 128256):
        right, wrong = 1 - rate + rate / classes, rate / classes
        loss = partial(smoothed, right, wrong, classes)
        low, high = 0.0, 40.0
        while high - low > 1e-9:
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if loss(a) > loss(b) else (low, b)
        floor = -right * math.log(right) - (classes - 1) * wrong * math.log(wrong)
        plain = math.log1p((classes - 1) * math.exp(-low))
        result |= {
            f"floor_{classes}": loss(low),
            f"off_{classes}": abs(loss(low) - floor),
            f"logit_{classes}": low,
            f"sure_{classes}": loss(20.0),
            f"plain_{classes}": plain,
            f"decimal_{classes}": (
                -(1 - rate) * math.log10(1 - rate) - rate * math.log10(rate / (classes - 1))
            ),
        }
        print(f"{classes:8}{loss(low):12.4f}{low:11.3f}{loss(20.0):18.4f}{plain:12.4f}")
    return result


WORDS = {
    "English": "The loss counts what a text costs in the code that the model would give it.",
    "Chinese": "损失数的是：用模型给出的编码写下这段文字要花多少。",
}


def tokens():
    """One model of a text, written as tokens of one, two and three bytes; then bytes of characters."""
    generator = random.Random(2)
    chances = {s: 2.0 ** -(1 + s // 8) / 8 for s in range(64)}
    chances = {s: p / sum(chances.values()) for s, p in chances.items()}
    data = generator.choices(list(chances), weights=chances.values(), k=6000)
    result = {}
    print(
        f"{'bytes in a token':>17}{'tokens':>8}{'loss (nats)':>13}{'perplexity':>12}{'bits per byte':>15}"
    )
    for size in (1, 2, 3):
        # A token's probability is the product of its bytes' ones: the same model of the text.
        pieces = [data[k : k + size] for k in range(0, len(data), size)]
        total = -math.fsum(math.log(math.prod(chances[s] for s in piece)) for piece in pieces)
        loss = total / len(pieces)
        result |= {
            f"loss_{size}": loss,
            f"perplexity_{size}": math.exp(loss),
            f"bits_{size}": total / math.log(2) / len(data),
        }
        print(
            f"{size:17}{len(pieces):8}{loss:13.4f}{math.exp(loss):12.2f}{total / math.log(2) / len(data):15.4f}"
        )
    for name, sentence in WORDS.items():
        ratio = len(sentence.encode()) / len(sentence)
        result[name.lower()] = ratio
        print(f"{name}: {len(sentence)} characters, {len(sentence.encode())} bytes in UTF-8")
    return result


if __name__ == "__main__":
    run = {"code": code, "minima": minima, "smoothing": smoothing, "tokens": tokens}
    print(json.dumps(run[sys.argv[1]]()))
