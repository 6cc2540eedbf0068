"""Random numbers and rounding of compiled code beside eager, as a table and as JSON: elements that differ."""

import json
import warnings

import fresh  # noqa: F401
import torch

SIZE = 4096


def drop(x):
    return torch.nn.functional.dropout(x, 0.5)


def chain(x):
    return ((x * 1.1 + 0.3) * 1.7 - 0.9) * x


def squares(x):
    return (x * x).sum(-1)


def seeded(function, *inputs):
    torch.manual_seed(0)
    return function(*inputs)


def differ(a, b):
    return int((a != b).sum())


def compiled(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, options=options)


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    torch.manual_seed(1)
    ones = torch.ones(SIZE)
    exact = torch.randn(SIZE).bfloat16()
    rows = torch.randn(SIZE, 256)

    result, lines = {}, []

    def row(key, text, value):
        result[key] = value
        lines.append(f"{text:<52} {value:>5}")

    eager = seeded(drop, ones)
    row("drop_eager", "dropout, eager twice from one seed", differ(eager, seeded(drop, ones)))
    own = compiled(drop)
    first = seeded(own, ones)
    row("drop_again", "dropout, compiled twice from one seed", differ(first, seeded(own, ones)))
    row("drop", "dropout, compiled against eager", differ(first, eager))
    fallback = compiled(drop, fallback_random=True)
    row("drop_fallback", "the same, fallback_random=True", differ(seeded(fallback, ones), eager))

    truth = chain(exact.double())
    rounded, fused = chain(exact), compiled(chain)(exact)
    row("bf16", "chain in bfloat16, compiled against eager", differ(fused, rounded))
    emulated = compiled(chain, emulate_precision_casts=True)(exact)
    row("bf16_emulated", "the same, emulate_precision_casts=True", differ(emulated, rounded))
    row("bf16_eager_wrong", "chain in bfloat16: eager is not the rounded truth", differ(rounded, truth.bfloat16()))
    row("bf16_fused_wrong", "chain in bfloat16: compiled is not", differ(fused, truth.bfloat16()))
    row("sums", "sums of 256 squares in float32, compiled", differ(compiled(squares)(rows), squares(rows)))
    print(f"elements of {SIZE:,} that differ")
    print("\n".join(lines))
    print(json.dumps(result))


main()
