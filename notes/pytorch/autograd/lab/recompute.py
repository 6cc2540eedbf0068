"""Bytes that the forward pass keeps, the peak, and matrix products, by the way of checkpointing, as JSON.

    python3 recompute.py    four blocks, then sixteen blocks in 1 to 16 checkpointed segments
"""

import json
import sys
from functools import partial

import torch
from model import Block, alive
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import (
    CheckpointPolicy,
    checkpoint,
    create_selective_checkpoint_contexts,
)

aten = torch.ops.aten
PRODUCTS = {aten.mm.default, aten.addmm.default}
WIDTH, HEADS, BATCH, LENGTH = 256, 4, 4, 128


class Products(TorchDispatchMode):
    """Counts matrix products."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func in PRODUCTS
        return func(*args, **(kwargs or {}))


def keep_products(context, func, *args, **kwargs):
    """A policy: keep the results of matrix products, compute everything else again."""
    return CheckpointPolicy.MUST_SAVE if func in PRODUCTS else CheckpointPolicy.PREFER_RECOMPUTE


WAYS = {
    "plain": lambda block, x: block(x),
    "checkpoint": lambda block, x: checkpoint(block, x, use_reentrant=False),
    "no early stop": lambda block, x: checkpoint(block, x, use_reentrant=False, early_stop=False),
    "reentrant": lambda block, x: checkpoint(block, x, use_reentrant=True),
    "keep products": lambda block, x: checkpoint(
        block, x, use_reentrant=False,
        context_fn=partial(create_selective_checkpoint_contexts, keep_products)),
}  # fmt: skip


def step(parts, x, way, mark=lambda name: None):
    for part in parts:
        x = WAYS[way](part, x)
    mark("forward")
    x.sum().backward()


def measured(blocks, segments, way):
    torch.manual_seed(0)
    net = nn.Sequential(*[Block(WIDTH, HEADS) for _ in range(blocks)])
    size = blocks // segments
    parts = [net[i * size : (i + 1) * size] for i in range(segments)]
    x = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    step(parts, x, way)  # so that gradients exist already
    found = alive(partial(step, parts, x, way))
    with Products() as products:
        step(parts, x, way)
    return found["forward"], found["peak"], products.count


def main():
    torch.set_num_threads(1)
    result = {"input": BATCH * LENGTH * WIDTH * 4}
    print(f"{'four blocks':<14} {'kept':>12} {'peak':>12}  products")
    for way in WAYS:
        kept, peak, products = measured(4, 4, way)
        print(f"{way:<14} {kept:>12,} {peak:>12,}  {products:>8}")
        name = way.replace(" ", "_")
        result |= {f"{name}_kept": kept, f"{name}_peak": peak, f"{name}_products": products}
    result["plain16_peak"] = measured(16, 16, "plain")[1]
    for segments in (1, 2, 4, 8, 16):
        kept, peak, _ = measured(16, segments, "checkpoint")
        result |= {f"segments{segments}_kept": kept, f"segments{segments}_peak": peak}
    print(json.dumps(result))


if __name__ == "__main__":
    sys.exit(main())
