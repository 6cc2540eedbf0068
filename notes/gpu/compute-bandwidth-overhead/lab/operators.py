"""Operations per byte of single operators, in bfloat16: the operands read once, the result written once."""

import json

import torch
from counter import counted

torch.set_default_device("meta")
torch.set_default_dtype(torch.bfloat16)
SIDE = 4096


def softmax(x):
    shifted = (x - x.amax(-1, keepdim=True)).exp()
    return shifted / shifted.sum(-1, keepdim=True)


def layer_norm(x, weight, bias):
    centred = x - x.mean(-1, keepdim=True)
    variance = (centred * centred).mean(-1, keepdim=True)
    return centred * (variance + 1e-5).rsqrt() * weight + bias


def product(m, n, k):
    a, b = torch.empty(m, k), torch.empty(k, n)
    return lambda: a @ b


def cases():
    x, y, row = torch.empty(SIDE, SIDE), torch.empty(SIDE, SIDE), torch.empty(SIDE)
    return {  # name: (what, work, bytes of its operands and its result as one kernel)
        "add": ("x + y", lambda: x + y, 3 * x.nbytes),
        "relu": ("relu(x)", x.relu, 2 * x.nbytes),
        "softmax": ("softmax of the rows", lambda: softmax(x), 2 * x.nbytes),
        "layer_norm": ("layer norm of the rows", lambda: layer_norm(x, row, row), 2 * x.nbytes),
        "rows_1": ("1 row times a matrix", product(1, SIDE, SIDE), None),
        "rows_64": ("64 rows times a matrix", product(64, SIDE, SIDE), None),
        "rows_512": ("512 rows times a matrix", product(512, SIDE, SIDE), None),
        "rows_4096": ("4096 rows times a matrix", product(SIDE, SIDE, SIDE), None),
        "guide_thin": ("8192 x 128 x 8192", product(8192, 128, 8192), None),
        "guide_cube": ("8192 x 8192 x 8192", product(8192, 8192, 8192), None),
    }


if __name__ == "__main__":
    result = {}
    print(f"{'operator':24s} {'FLOP':>14s} {'bytes':>12s} {'FLOP/B':>8s}")
    for name, (what, work, once) in cases().items():
        counter = counted(work)
        moved = once or counter.bytes
        result[f"{name}_intensity"] = counter.flop / moved
        print(f"{what:24s} {counter.flop:14d} {moved:12d} {counter.flop / moved:8.2f}")
    print(json.dumps(result))
