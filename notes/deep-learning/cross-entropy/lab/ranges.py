"""Where a cross-entropy from logits becomes infinite, NaN, zero or imprecise, by format and by way.

usage: ranges.py limits | rows | ulps | sums | epsilon
"""

import json
import math
import random
import sys
from statistics import median

from floats import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    FORMATS,
    exact,
    fused,
    fused_back,
    naive,
    precise,
    shifted,
)

LN2 = math.log(2)
WORDS = 128256  # the vocabulary of Llama 3.1


def overflow(f):
    """Beyond this logit exp is infinite: what rounds to more than the largest number."""
    return math.log(f.largest + f.ulp(f.largest) / 2)


def vanish(f):
    """Beyond this gap below the largest logit, exp is 0: half the smallest number."""
    return -math.log(f.smallest / 2)


def silent(f):
    """Beyond this gap above the next logit, 1 + exp(-gap) is 1, so that the loss is 0."""
    return (f.mantissa + 1) * LN2


def close(f, limit):
    """Numbers of the format to try: all of 16 bits, in float32 2,000 around the limit."""
    if f is FLOAT32:
        step = f.ulp(limit)
        return [f(limit) + k * step for k in range(-1000, 1000)]
    return list(f.positive())


def limits():
    """Two classes, at 0 and x; compares each formula with what the arithmetic gives."""
    result = {"tried": 0, "wrong": 0, "fused_bad": 0, "naive_bad": 0}
    print(f"{'format':10}{'exp is inf from':>17}{'softmax is 0 from':>19}{'loss is 0 from':>16}")
    for f in FORMATS:
        a, b, c = overflow(f), vanish(f), silent(f)
        result |= {f"{f.name}_{key}": v for key, v in zip(("over", "zero", "quiet"), (a, b, c))}
        for x in close(f, a):
            bad = not math.isfinite(naive(f, [0.0, x], 1))
            result["wrong"] += bad != (x >= a)
            result["naive_bad"] += bad
            result["fused_bad"] += not math.isfinite(fused(f, [0.0, x], 0))
            result["tried"] += 1
        for x in close(f, b):
            result["wrong"] += math.isinf(shifted(f, [0.0, -x], 1)) != (x >= b)
            result["tried"] += 1
        for x in close(f, c):
            result["wrong"] += (fused(f, [0.0, -x], 0) == 0) != (x >= c)
            result["tried"] += 1
        print(f"{f.name:10}{a:17.3f}{b:19.3f}{c:16.3f}")
    print(f"inputs tried: {result['tried']}, against the formulas: {result['wrong']}")
    print(f"log-sum-exp infinite or NaN: {result['fused_bad']}")
    return result


def rows():
    """Losses that are infinite or NaN, of 1,000 rows of 32 logits with a random target."""
    ways = {"naive": naive, "shifted": shifted, "fused": fused}
    result = {}
    print(
        f"{'format':10}{'deviation':>10}{'log(softmax)':>14}{'max subtracted':>16}{'log-sum-exp':>13}"
    )
    for f in FORMATS:
        for spread in (1, 10, 50):
            generator = random.Random(spread)
            bad = dict.fromkeys(ways, 0)
            for _ in range(1000):
                logits = [f(generator.gauss(0, spread)) for _ in range(32)]
                target = generator.randrange(32)
                for name, way in ways.items():
                    bad[name] += not math.isfinite(way(f, logits, target))
            result |= {f"{f.name}_{spread}_{name}": count for name, count in bad.items()}
            print(f"{f.name:10}{spread:10}{bad['naive']:14}{bad['shifted']:16}{bad['fused']:13}")
    return result


def ulps():
    """Errors in ulps of the loss in float32: two orders of the last subtraction, and log1p."""
    result = {}
    print(
        f"{'logits around':14}{'(m + log s) - x':>17}{'log s - (x - m)':>17}   ulps, middle and largest"
    )
    for centre in (0, 100, 10000):
        generator = random.Random(1)
        errors = {"back": [], "direct": []}
        for _ in range(500):
            logits = [FLOAT32(generator.gauss(centre, 2)) for _ in range(64)]
            target = generator.randrange(64)
            true = exact(logits, target)
            for name, way in (("back", fused_back), ("direct", fused)):
                errors[name].append(abs(way(FLOAT32, logits, target) - true) / FLOAT32.ulp(true))
        shown = {name: (median(values), max(values)) for name, values in errors.items()}
        for name, (middle, most) in shown.items():
            result |= {f"{name}_{centre}": middle, f"{name}_{centre}_most": most}
        cells = "".join(f"{f'{middle:.1f}, {most:.1f}':>17}" for middle, most in shown.values())
        print(f"{centre:<14}{cells}")
    print(f"{'gap':14}{'by log':>17}{'by log1p':>17}{'exact':>13}")
    for gap in (5, 10, 15, 20):
        logits = [0.0, -float(gap)]
        by_log, by_log1p, true = (
            fused(FLOAT32, logits, 0),
            precise(FLOAT32, logits, 0),
            exact(logits, 0),
        )
        size = FLOAT32.ulp(true)
        result |= {
            f"gap_{gap}_log": abs(by_log - true) / true,
            f"gap_{gap}_log1p": abs(by_log1p - true) / size,
            f"gap_{gap}_ulps": abs(by_log - true) / size,
            f"gap_{gap}_loss": by_log,
        }
        print(f"{gap:<14}{by_log:17.4g}{by_log1p:17.4g}{true:13.4g}")
    return result


def sums():
    """The loss of equal logits is log V; here by the format in which the exponentials are summed."""
    true = math.log(WORDS)
    result = {"true": true}
    print(f"{WORDS} equal logits, exact loss {true:.4f}")
    print(f"{'exponentials in':17}{'summed in':11}{'kept in':10}{'sum':>9}{'loss':>9}")
    for name, f, inner, kept in (
        ("half", FLOAT16, FLOAT16, FLOAT16),
        ("brain", BFLOAT16, BFLOAT16, BFLOAT16),
        ("half_wide", FLOAT16, FLOAT32, FLOAT16),
        ("brain_wide", BFLOAT16, FLOAT32, BFLOAT16),
        ("wide", FLOAT32, FLOAT32, FLOAT32),
    ):
        total = kept(inner.sum(f.exp(0.0) for _ in range(WORDS)))
        loss = kept.log(total)
        result |= {f"{name}_sum": min(total, 1e9), f"{name}_loss": min(loss, 1e9)}
        result[f"{name}_off"] = abs(min(loss, 1e9) - true)
        print(f"{f.name:17}{inner.name:11}{kept.name:10}{total:9g}{loss:9.4f}")
    return result


def epsilon():
    """What log(p + 1e-8) does: the largest loss, and the gradient of the target's logit."""
    result = {}
    print(f"{'format':10}{'1e-8 becomes':>14}{'largest loss':>14}")
    for f in FORMATS:
        small = f(1e-8)
        most = -f.log(small)
        result |= {f"{f.name}_small": small, f"{f.name}_most": min(most, 1e9)}
        print(f"{f.name:10}{small:14.4g}{most:14.4f}")
    print(f"{'gap':>5}{'loss':>9}{'with 1e-8':>11}{'gradient':>12}{'with 1e-8':>12}")
    for gap in (10, 20, 30):
        p = 1 / (1 + math.exp(gap))
        true, capped = exact([0.0, -float(gap)], 1), shifted(FLOAT32, [0.0, -float(gap)], 1, 1e-8)
        gradient = -p * (1 - p) / (p + 1e-8)
        result |= {
            f"gap_{gap}_capped": capped,
            f"gap_{gap}_gradient": -gradient,
            f"gap_{gap}_full": 1 - p,
        }
        print(f"{gap:5}{true:9.4f}{capped:11.4f}{p - 1:12.6f}{gradient:12.6f}")
    return result


if __name__ == "__main__":
    run = {"limits": limits, "rows": rows, "ulps": ulps, "sums": sums, "epsilon": epsilon}
    print(json.dumps(run[sys.argv[1]]()))
