"""Dot products with rounded inputs, scales and accumulators against 64-bit ones. A model: no GPU.

    python3 dots.py LENGTH    tables, then the numbers as JSON

Products are exact. First the sums are exact too, so that only the inputs are rounded; then the inputs
are FP16 or E4M3 and the sum is rounded. Real tensor cores add in an order and with a rounding that
NVIDIA does not document.
"""

import json
import sys

import narrow
import numpy as np

DOTS, SUMS_OF = 1024, 256


def off(made, exact):
    """The root mean square of the error, relative to that of the exact results."""
    return float(np.sqrt(np.mean((made - exact) ** 2) / np.mean(exact**2)))


def dot(a, b):
    return np.sum(a * b, axis=1)


def whole(form):
    """One scale for the whole tensor: its largest value becomes the largest of the format."""

    def apply(x):
        scale = np.max(np.abs(x)) / form.largest
        return form.rounded(x / scale) * scale

    return apply


def blocks(form, size, scales):
    """A scale for every `size` values along the sum, itself rounded by `scales`."""

    def apply(x):
        parts = x.reshape(len(x), -1, size)
        scale = scales(np.max(np.abs(parts), axis=2, keepdims=True) / form.largest)
        return (form.rounded(parts / scale) * scale).reshape(x.shape)

    return apply


def powers(scale):
    """Scales of E8M0, powers of two; rounded up, so that nothing overflows."""
    return np.exp2(np.ceil(np.log2(scale)))


def e4m3_scales(scale):
    """Scales of E4M3 under one scale for the tensor, as NVFP4 has them."""
    outer = np.max(scale) / narrow.E4M3.largest
    return narrow.E4M3.rounded(scale / outer) * outer


def int8(x):
    scale = np.max(np.abs(x)) / 127
    return np.rint(x / scale) * scale


def three_products(a, b):
    """TF32 thrice: the upper parts, and each upper part with what the other one lost."""
    upper_a, upper_b = narrow.TF32.rounded(a), narrow.TF32.rounded(b)
    lower_a, lower_b = narrow.TF32.rounded(a - upper_a), narrow.TF32.rounded(b - upper_b)
    return dot(upper_a, upper_b) + dot(upper_a, lower_b) + dot(lower_a, upper_b)


def truncated_to(bits, x):
    """The upper `bits` bits of each number, the rest dropped."""
    fraction, exponent = np.frexp(x)
    return np.ldexp(np.trunc(np.ldexp(fraction, bits)), exponent - bits)


def summed(products, group, keep):
    """Adds `group` products exactly to the sum, then keeps what `keep` leaves of it."""
    total = np.zeros(len(products))
    for start in range(0, products.shape[1], group):
        total = keep(total + np.sum(products[:, start : start + group], axis=1))
    return total


INPUTS = {
    "tf32": ("TF32, rounded", narrow.TF32.rounded),
    "tf32_cut": ("TF32, lower bits dropped", narrow.truncated_tf32),
    "fp16": ("FP16", narrow.FP16.rounded),
    "bf16": ("BF16", narrow.BF16.rounded),
    "int8": ("INT8, a scale per tensor", int8),
    "e4m3": ("E4M3, a scale per tensor", whole(narrow.E4M3)),
    "e5m2": ("E5M2, a scale per tensor", whole(narrow.E5M2)),
    "mxfp8": ("MXFP8: E4M3, 32 to a scale", blocks(narrow.E4M3, 32, powers)),
    "e2m1": ("E2M1, a scale per tensor", whole(narrow.E2M1)),
    "mxfp4": ("MXFP4: E2M1, 32 to a scale", blocks(narrow.E2M1, 32, powers)),
    "nvfp4": ("NVFP4: E2M1, 16 to a scale", blocks(narrow.E2M1, 16, e4m3_scales)),
}
SUMS = {
    "sum_fp32": ("FP16 inputs, FP32 sum", narrow.FP16.rounded, 1, narrow.FP32.rounded),
    "sum_fp16": ("FP16 inputs, FP16 sum", narrow.FP16.rounded, 1, narrow.FP16.rounded),
    "sum_14": ("E4M3 inputs, sum of 14 bits", narrow.E4M3.rounded, 32, lambda x: truncated_to(14, x)),
}


def main():
    length = int(sys.argv[1])
    random = np.random.default_rng(1)
    result = {}

    def drawn(values):
        return values.astype(np.float32).astype(np.float64)

    a, b = (drawn(random.standard_normal((DOTS, length))) for _ in range(2))
    positive = [drawn(random.random((DOTS, length))) for _ in range(2)]
    wild = [x.copy() for x in (a, b)]
    for x in wild:
        x[:, 0] *= 1000
    cases = {"": (a, b), "_positive": positive, "_outlier": wild}
    print(f"inputs rounded, {length} products    normal  positive  outliers")
    for name, (what, rounded) in INPUTS.items():
        for case, (x, y) in cases.items():
            if case == "_outlier":  # what the ordinary values still contribute
                made, exact = rounded(x)[:, 1:] * rounded(y)[:, 1:], x[:, 1:] * y[:, 1:]
                result[name + case] = off(made.sum(axis=1), exact.sum(axis=1))
            else:
                result[name + case] = off(dot(rounded(x), rounded(y)), dot(x, y))
        print(f"{what:<30}" + "".join(f"{result[name + case]:>10.1e}" for case in cases))
    result["three"] = off(three_products(a, b), dot(a, b))
    print(f"{'TF32, three products':<30}{result['three']:>10.1e}")
    print("sum rounded                     error at 1024, 4096, 16384 products, positive inputs")
    x, y = (drawn(random.random((SUMS_OF, 16384))) for _ in range(2))
    for name, (what, rounded, group, keep) in SUMS.items():
        products = rounded(x) * rounded(y)
        for count in (1024, 4096, 16384):
            part = products[:, :count]
            result[f"{name}_{count}"] = off(summed(part, group, keep), part.sum(axis=1))
        print(f"{what:<30}" + "".join(f"{result[f'{name}_{n}']:>10.1e}" for n in (1024, 4096, 16384)))
    parts = (narrow.E4M3.rounded(x) * narrow.E4M3.rounded(y))[:, :4096].reshape(SUMS_OF * 32, 128)
    promoted = summed(parts, 32, lambda s: truncated_to(14, s)).reshape(SUMS_OF, 32)
    result["promoted"] = off(promoted.sum(axis=1), parts.reshape(SUMS_OF, 4096).sum(axis=1))
    print(f"{'the same, moved out every 128':<30}{'':>10}{result['promoted']:>10.1e}")
    small = drawn(random.standard_normal(2**16)) * 1e-5
    for form in (narrow.FP16, narrow.BF16, narrow.E5M2, narrow.E4M3):
        result[f"lost_{form.name}"] = float(np.mean(form.rounded(small) == 0))
    print("of normal values times 1e-5 these become zero:")
    print(", ".join(f"{key[5:]} {value:.1%}" for key, value in result.items() if key.startswith("lost")))
    print(json.dumps(result))


main()
