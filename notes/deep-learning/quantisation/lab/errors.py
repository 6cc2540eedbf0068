"""Errors of quantised products, in plain Python with a fixed seed. The numbers are made up, no model is run.

usage: errors.py weights | activations | zero | bits
"""

import json
import math
import random
import sys
from operator import mul

TOKENS, INPUTS, OUTPUTS = 32, 256, 64
OUTLIERS, TIMES = 4, 60


def rows(generator, count, length, size=lambda: 1.0):
    result = []
    for _ in range(count):
        deviation = size()
        result.append([generator.gauss(0, deviation) for _ in range(length)])
    return result


def quantise(values, bits):
    """The values after a symmetric quantisation with one scale: rounded to nearest, to even at ties."""
    most = 2 ** (bits - 1) - 1
    scale = max(map(abs, values)) / most
    return [scale * round(value / scale) for value in values] if scale else values


def whole(matrix, bits):
    """One scale for the matrix."""
    flat = quantise([value for row in matrix for value in row], bits)
    width = len(matrix[0])
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def by_row(matrix, bits):
    return [quantise(row, bits) for row in matrix]


def by_group(matrix, bits, group):
    return [
        [
            value
            for start in range(0, len(row), group)
            for value in quantise(row[start : start + group], bits)
        ]
        for row in matrix
    ]


def transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def product(inputs, weights):
    return [[sum(map(mul, row, column)) for column in weights] for row in inputs]


def root(matrix):
    values = [value for row in matrix for value in row]
    return math.sqrt(sum(value * value for value in values) / len(values))


def error(exact, other, unit):
    """Root mean square of the difference, of the root mean square of ``unit``."""
    difference = [
        [a - b for a, b in zip(x, y, strict=True)] for x, y in zip(exact, other, strict=True)
    ]
    return root(difference) / root(unit)


def weights():
    """Output rows of different sizes; in a second matrix one weight in 512 is large as well."""
    result = {}
    print(
        f"{'weights':24}{'bits':>6}{'one scale':>12}{'per row':>10}{'groups of 64':>14}{'of 32':>8}"
    )
    for name, spread, large in (("alike", 0.0, False), ("rows", 1.0, False), ("large", 1.0, True)):
        generator = random.Random(1)
        inputs = rows(generator, TOKENS, INPUTS)
        matrix = rows(
            generator, OUTPUTS, INPUTS, lambda s=spread, g=generator: math.exp(g.gauss(0, s))
        )
        if large:
            for row in matrix:
                for _ in range(INPUTS // 128):
                    row[generator.randrange(INPUTS)] *= 12
        exact = product(inputs, matrix)
        for bits in (8, 4):
            ways = {
                "one": whole(matrix, bits),
                "row": by_row(matrix, bits),
                "g64": by_group(matrix, bits, 64),
                "g32": by_group(matrix, bits, 32),
            }
            errors = {
                way: relative(inputs, matrix, exact, changed) for way, changed in ways.items()
            }
            result |= {f"{name}_{way}_{bits}": value for way, value in errors.items()}
            words = {
                "alike": "rows alike",
                "rows": "rows differ",
                "large": "and single large ones",
            }[name]
            print(
                f"{words:24}{bits:6}{errors['one']:12.2%}{errors['row']:10.2%}{errors['g64']:14.2%}{errors['g32']:8.2%}"
            )
    return result


def relative(inputs, matrix, exact, changed):
    """The middle of the outputs' errors, each relative to that output: a small output counts as much as a large one."""
    other = product(inputs, changed)
    ratios = []
    for y, z in zip(transposed(exact), transposed(other), strict=True):
        ratios.append(error([y], [z], [y]))
    ratios.sort()
    return ratios[len(ratios) // 2]


def smoothed(inputs, matrix):
    """Both sides divided and multiplied by a factor per input column, as SmoothQuant does, half and half."""
    columns, sides = transposed(inputs), transposed(matrix)
    factors = [
        math.sqrt(max(map(abs, column)) / max(map(abs, side)))
        for column, side in zip(columns, sides, strict=True)
    ]
    return (
        [[value / factor for value, factor in zip(row, factors, strict=True)] for row in inputs],
        [[value * factor for value, factor in zip(row, factors, strict=True)] for row in matrix],
    )


def activations():
    """Products in 8 bits on both sides; a few input columns are large in the second case.

    Errors are relative to what the ordinary columns contribute, which is what the large ones drown.
    """
    generator = random.Random(2)
    inputs = rows(generator, TOKENS, INPUTS)
    matrix = rows(generator, OUTPUTS, INPUTS)
    large = set(generator.sample(range(INPUTS), OUTLIERS))
    spiked = [
        [value * TIMES if i in large else value for i, value in enumerate(row)] for row in inputs
    ]
    ordinary = [[0.0 if i in large else value for i, value in enumerate(row)] for row in inputs]
    apart = [[value if i in large else 0.0 for i, value in enumerate(row)] for row in spiked]
    unit = product(ordinary, matrix)
    result = {"columns": len(large) / INPUTS}
    print(f"{'8 bits on both sides':36}{'no large columns':>18}{'with large columns':>20}")
    ways = {
        "tensor": ("one scale for the inputs", lambda x: product(whole(x, 8), by_row(matrix, 8))),
        "token": ("a scale per token", lambda x: product(by_row(x, 8), by_row(matrix, 8))),
        "column": (
            "a scale per column",
            lambda x: product(transposed(by_row(transposed(x), 8)), by_row(matrix, 8)),
        ),
        "smooth": ("per token, columns smoothed", lambda x: smooth_product(x, matrix)),
        "split": ("per token, large columns in float", None),
        "only": ("weights alone in 8 bits", lambda x: product(x, by_row(matrix, 8))),
    }
    for name, (words, way) in ways.items():
        if way is None:
            plain = error(
                product(inputs, matrix), product(by_row(inputs, 8), by_row(matrix, 8)), unit
            )
            parts = product(by_row(ordinary, 8), by_row(matrix, 8)), product(apart, matrix)
            both = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(*parts, strict=True)]
            with_large = error(product(spiked, matrix), both, unit)
        else:
            plain = error(product(inputs, matrix), way(inputs), unit)
            with_large = error(product(spiked, matrix), way(spiked), unit)
        result |= {f"plain_{name}": plain, f"large_{name}": with_large}
        print(f"{words:36}{plain:18.2%}{with_large:20.2%}")
    scale = max(map(abs, spiked[0])) / 127
    result["steps"] = sum(round(value / scale) == 0 for value in ordinary[0] if value) / (
        INPUTS - OUTLIERS
    )
    print(
        f"ordinary values of the first token that become 0, with large columns: {result['steps']:.1%}"
    )
    return result


def smooth_product(inputs, matrix):
    left, right = smoothed(inputs, matrix)
    return product(by_row(left, 8), by_row(right, 8))


def zero():
    """Symmetric against asymmetric, and the product with a zero point in whole numbers."""
    generator = random.Random(3)
    result = {}
    print(f"{'values':28}{'symmetric':>12}{'asymmetric':>12}")
    both = [generator.gauss(0, 1) for _ in range(20000)]
    for name, words, values in (
        ("normal", "both signs", both),
        ("relu", "after ReLU", [max(0.0, value) for value in both]),
        ("shifted", "between 9 and 11", [10 + math.tanh(value) for value in both]),
    ):
        low, high = min(0.0, *values), max(0.0, *values)
        scale = (high - low) / 255
        point = round(-low / scale)
        asymmetric = [
            scale * (min(255, max(0, round(value / scale) + point)) - point) for value in values
        ]
        errors = [error([values], [other], [values]) for other in (quantise(values, 8), asymmetric)]
        result |= {
            f"{name}_symmetric": errors[0],
            f"{name}_asymmetric": errors[1],
            f"{name}_gain": errors[0] / errors[1],
        }
        print(f"{words:28}{errors[0]:12.3%}{errors[1]:12.3%}")
    codes = [generator.randrange(256) for _ in range(4096)]
    other = [generator.randrange(-127, 128) for _ in range(4096)]
    point = 93
    direct = sum((a - point) * b for a, b in zip(codes, other, strict=True))
    plain = sum(a * b for a, b in zip(codes, other, strict=True))
    result["left_out"] = abs(plain - direct)
    result["corrected"] = abs(plain - point * sum(other) - direct)
    print(
        f"product with a zero point: off by {result['left_out']} without the correction, by {result['corrected']} with it"
    )
    return result


def bits():
    """The rounding error of uniformly distributed values, and the length of a sum that 32 bits hold."""
    generator = random.Random(4)
    values = [generator.uniform(-1, 1) for _ in range(20000)] + [1.0]
    result = {}
    print(f"{'bits':>4}{'step':>11}{'error':>12}{'of the step':>13}{'if cut off':>12}")
    for count in (8, 7, 6, 5, 4, 3):
        step = 1 / (2 ** (count - 1) - 1)
        size = root([[a - b for a, b in zip(values, quantise(values, count), strict=True)]])
        cut = root([[a - step * math.floor(a / step) for a in values]])
        result |= {
            f"error_{count}": size,
            f"of_step_{count}": size / step,
            f"cut_{count}": cut / step,
        }
        print(f"{count:4}{step:11.5f}{size:12.6f}{size / step:13.4f}{cut / step:12.4f}")
    most = 2**31 - 1
    result |= {
        "sums_signed": most // (127 * 127),
        "sums_mixed": most // (255 * 127),
        "pair_16": (2**15 - 1) // (255 * 127),
    }
    print(
        f"products of largest codes that fit: {result['sums_signed']} (127*127) or {result['sums_mixed']} (255*127) in 32 bits, {result['pair_16']} in 16"
    )
    return result


if __name__ == "__main__":
    run = {"weights": weights, "activations": activations, "zero": zero, "bits": bits}[sys.argv[1]]
    print(json.dumps(run()))
