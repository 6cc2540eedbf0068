"""The most bytes of tensors that are alive in each part of the second training step, by what is changed, as JSON.

The tensors have shapes and no data, so nothing is computed: PyTorch's FakeTensorMode.
"""

import json
from typing import NamedTuple

import torch
from alive import Alive
from model import Model
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

LENGTH = 1024
# Vocabulary, width, heads, layers; and the sequences of a batch.
SMALL, LARGE = ((50304, 768, 12, 12), 8), ((50304, 2048, 16, 24), 2)


def adapted(net, rank, everywhere):
    """Freezes the model and puts two trainable matrices of this rank beside each block's qkv, or all its layers."""
    net.requires_grad_(False)
    for block in net.blocks:
        for name in ["qkv", "out", "up", "down"] if everywhere else ["qkv"]:
            setattr(block, name, Adapter(getattr(block, name), rank))


class Adapter(nn.Module):
    def __init__(self, layer, rank):
        super().__init__()
        self.layer = layer
        self.down = nn.Linear(layer.in_features, rank, bias=False)
        self.up = nn.Linear(rank, layer.out_features, bias=False)

    def forward(self, x):
        return self.layer(x) + self.up(self.down(x))


class EachInBackward:
    """An optimizer for each parameter, which steps and drops the gradient as soon as it is there."""

    def __init__(self, net):
        self.each = {p: torch.optim.AdamW([p], foreach=False) for p in net.parameters()}
        for p in self.each:
            p.register_post_accumulate_grad_hook(self.stepped)

    def stepped(self, p):
        self.each[p].step()
        self.each[p].zero_grad()

    def step(self):
        pass

    def zero_grad(self, set_to_none=True):
        pass


def optimizer_of(net, kind):
    trained = [p for p in net.parameters() if p.requires_grad]
    if kind == "each":
        return EachInBackward(net)
    if kind == "sgd":
        return torch.optim.SGD(trained, lr=0.1, foreach=True)
    return torch.optim.AdamW(trained, foreach=kind == "foreach", fused=kind == "fused")


class Change(NamedTuple):
    """What is changed in a step."""

    parts: int = 1  # of the batch, whose gradients add up
    checkpointed: bool = False  # each block
    pieces: int = 0  # of the logits and the loss, each checkpointed
    autocast: bool = False  # to bfloat16
    half: bool = False  # everything in bfloat16
    adapter: int = 0  # of this rank, everything else frozen
    everywhere: bool = False  # adapters beside each linear layer of the blocks, not beside qkv alone
    optimizer: str = "foreach"
    kept: bool = False  # gradients are set to zero and not to None


def most(shape, batch, change, length=LENGTH, mode=FakeTensorMode):
    """The most bytes alive in the parts of the second step: forward, backward, the optimizer's, and between steps."""
    with mode(), Alive("cpu") as alive:
        torch.set_default_dtype(torch.bfloat16 if change.half else torch.float32)
        net = Model(*shape, length)
        torch.set_default_dtype(torch.float32)
        if change.adapter:
            adapted(net, change.adapter, change.everywhere)
        opt = optimizer_of(net, change.optimizer)
        tokens, targets = (torch.randint(0, shape[0], (batch, length)).chunk(change.parts) for _ in range(2))
        for _ in range(2):
            forward = backward = saved = 0
            for t, y in zip(tokens, targets, strict=True):
                losses = []

                def run(t=t, y=y, losses=losses):
                    with torch.autocast("cpu", torch.bfloat16, enabled=change.autocast):
                        losses.append(net.loss(t, y, change.checkpointed, change.pieces) / change.parts)

                before = alive.now
                forward = max(forward, alive.most_in(run))
                saved = max(saved, alive.now - before)
                backward = max(backward, alive.most_in(losses.pop().backward))
            step = alive.most_in(opt.step)
            opt.zero_grad(set_to_none=not change.kept)
        return {"forward": forward, "backward": backward, "step": step, "between": alive.now, "saved": saved}


CASES = {
    "base": Change(),
    "parts": Change(parts=2),
    "checkpointed": Change(checkpointed=True),
    "pieces": Change(pieces=8),
    "autocast": Change(autocast=True),
    "half": Change(half=True),
    "sgd": Change(optimizer="sgd"),
    "loop": Change(optimizer="loop"),
    "fused": Change(optimizer="fused"),
    "each": Change(optimizer="each"),
    "adapter": Change(adapter=8),
    "rank": Change(adapter=64),
    "everywhere": Change(adapter=8, everywhere=True),
    "kept": Change(kept=True),
    "both": Change(checkpointed=True, pieces=8),
    "both_each": Change(checkpointed=True, pieces=8, optimizer="each"),
    "both_adapter": Change(checkpointed=True, pieces=8, adapter=8),
}
PARTS = ["forward", "backward", "step", "between"]


def main():
    result = {}
    for size, (shape, batch) in {"small": SMALL, "large": LARGE}.items():
        print(f"{size:<13}" + "".join(f"{part:>9}" for part in PARTS))
        for name, change in CASES.items():
            found = most(shape, batch, change)
            print(f"{name:<13}" + "".join(f"{found[part] / 1e6:>9,.0f}" for part in PARTS))
            result |= {f"{size}_{name}_{part}": count for part, count in found.items()}
            result[f"{size}_{name}"] = max(found[part] for part in PARTS)
        with torch.device("meta"):
            weights = sum(p.numel() for p in Model(*shape, LENGTH).parameters())
        result |= {f"{size}_weights": weights, f"{size}_logits": 4 * batch * LENGTH * shape[0]}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
