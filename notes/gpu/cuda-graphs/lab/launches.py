"""Counts the operators of one step of a small transformer that compute something, and prints JSON.

A graph replaces the launches of all of them by one. Views (the unsafe one too) and empty tensors launch nothing and
are left out. The tensors have shapes and no values (the meta device), so nothing is computed here.

    python3 launches.py          the counts as one JSON object
    python3 launches.py show     the operators of one block's forward pass, in order
"""

import json
import sys

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

WIDTH, HEADS, LENGTH = 256, 4, 128
IN_STREAM, IN_GRAPH = 2.5, 1.3  # microseconds for a small kernel on an H200: gpu-benches, gpu-small-kernels
NO_LAUNCH = ("empty", "detach", "_unsafe_view")


def is_view(function):
    """Whether a result of the operator is an alias of an argument that the operator does not write."""
    return any(each.alias_info and not each.alias_info.is_write for each in function._schema.returns)


class Launches(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        result = function(*args, **(kwargs or {}))
        on_device = any(isinstance(each, torch.Tensor) and each.is_meta for each in tree_leaves((args, kwargs, result)))
        if on_device and not is_view(function) and not name.startswith(NO_LAUNCH):
            self.names.append(name)
        return result


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.inputs, self.output = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = (
            each.reshape(len(x), -1, HEADS, WIDTH // HEADS).transpose(1, 2)
            for each in self.inputs(self.before(x)).chunk(3, dim=-1)
        )
        scores = torch.softmax(q @ k.transpose(2, 3) / (WIDTH // HEADS) ** 0.5, dim=-1)
        x = x + self.output((scores @ v).transpose(1, 2).reshape(x.shape))
        return x + self.down(nn.functional.gelu(self.up(self.between(x))))


def step(foreach=True, blocks=4, batch=8):
    """The operators of the three parts of a training step, and the number of parameter tensors."""
    with torch.device("meta"):
        model = nn.Sequential(*(Block() for _ in range(blocks)))
        x = torch.empty(batch, LENGTH, WIDTH)
    update = torch.optim.AdamW(model.parameters(), foreach=foreach)
    parts = []
    for _ in range(2):  # the optimizer makes its state in the first step
        parts = [Launches() for _ in range(3)]
        with parts[0]:
            loss = model(x).square().mean()
        with parts[1]:
            loss.backward()
        with parts[2]:
            update.step()
        update.zero_grad()
    return *(len(part.names) for part in parts), len(list(model.parameters()))


def block():
    """The operators of one block's forward pass, in order."""
    with torch.device("meta"), torch.no_grad(), Launches() as seen:
        model, x = Block(), torch.empty(8, LENGTH, WIDTH)
        seen.names.clear()
        model(x)
    return seen.names


def main():
    if sys.argv[1:] == ["show"]:
        print("\n".join(block()))
        return
    forward, backward, lists, tensors = step()
    launches = forward + backward + lists
    result = {
        "block": len(block()),
        "forward": forward,
        "backward": backward,
        "lists": lists,
        "loop": step(foreach=False)[2],
        "tensors": tensors,
        "large_batch": step(batch=64)[0],
        "deep": step(blocks=8)[0],
        "in_stream": launches * IN_STREAM,
        "in_graph": launches * IN_GRAPH,
    }
    print(json.dumps(result))


main()
