"""Casts of one forward pass, and bytes that it keeps, in float32 and under autocast.

    python3 casts.py BATCH WIDTH LAYERS    a table, then JSON

Each layer is a Linear of WIDTH and a GELU, which the lists of CUDA and of the CPU treat alike.
"""

import json
import sys

import torch
from torch.nn.functional import gelu
from torch.utils._python_dispatch import TorchDispatchMode


class Casts(TorchDispatchMode):
    """Counts operators that only change the format."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func.overloadpacket.__name__ == "_to_copy"
        return func(*args, **(kwargs or {}))


def run(batch, width, layers, autocast, passes=1, frozen=False):
    """Casts, bytes of activations and bytes of 16-bit weights that are kept for the backward pass."""
    torch.manual_seed(0)
    net = torch.nn.ModuleList(torch.nn.Linear(width, width) for _ in range(layers))
    net.requires_grad_(not frozen)
    x = torch.randn(batch, width, requires_grad=True)
    known = {p.untyped_storage().data_ptr() for p in net.parameters()}
    kept = {}

    def pack(t):
        key = t.untyped_storage().data_ptr()
        if key not in known:
            kept[key] = (t.shape == (width, width), t.untyped_storage().nbytes(), t)
        return t

    casts = Casts()
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t), casts:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
            for _ in range(passes):
                y = x
                for layer in net:
                    y = gelu(layer(y))
    bytes_of = {True: 0, False: 0}
    for weight, size, _ in kept.values():
        bytes_of[weight] += size
    return casts.count, bytes_of[False], bytes_of[True], sum(p.numel() for p in net.parameters())


def main(arguments):
    if len(arguments) != 3:
        sys.exit("usage: casts.py BATCH WIDTH LAYERS")
    torch.set_num_threads(1)
    batch, width, layers = map(int, arguments)
    result = {}
    print(f"{'':42}{'casts':>7}{'activations kept':>18}{'weight copies':>15}")
    for key, name, options in (
        ("full", "float32", {"autocast": False}),
        ("auto", "autocast", {"autocast": True}),
        ("twice", "autocast, layers used twice", {"autocast": True, "passes": 2}),
        ("frozen", "autocast, layers used twice, frozen", {"autocast": True, "passes": 2, "frozen": True}),
    ):
        casts, kept, weights, number = run(batch, width, layers, **options)
        print(f"{name:42}{casts:7}{kept / 2**20:14.2f} MiB{weights / 2**20:11.2f} MiB")
        result |= {f"{key}_casts": casts, f"{key}_kept": kept, f"{key}_weights": weights,
                   "parameters": number}
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
