"""Compares strides and views with PyTorch: ``python -m benchmarks.explorables.storages``."""

from __future__ import annotations

import argparse
import itertools
import random

import torch

from perfnotes.explorables import tensor_storage
from perfnotes.explorables.tensor_storage import EXPLORABLE, Strided

X = torch.arange(24)


def shown() -> list[tuple[torch.Tensor, Strided, str]]:
    """Every tensor that the controls make, by its expression, and what the model says of it."""
    ranges = [range(c.least, c.most + 1) for c in EXPLORABLE.controls[:-1]]
    made = []
    for positions in itertools.product(*ranges):
        numbers = EXPLORABLE.numbers({}, (*positions, 0))
        text = tensor_storage.expression(numbers)
        made.append((eval(text, {"x": X}), tensor_storage.tensor(numbers), text))
    return made


def chained(chance: random.Random) -> tuple[torch.Tensor, str]:
    """A tensor of a random chain of operations that copy nothing."""
    made, text = X.view(chance.choice([(4, 6), (2, 12), (2, 3, 4), (1, 24), (2, 2, 3, 2)])), "x"
    for _ in range(chance.randint(0, 5)):
        dimension = chance.randrange(made.dim())
        size = made.size(dimension)
        kind = chance.choice(["transpose", "slice", "select", "expand", "unsqueeze"])
        if kind == "transpose":
            made = made.transpose(dimension, chance.randrange(made.dim()))
        elif kind == "slice":
            begin, step = chance.randrange(size), chance.randint(1, 3)
            made = made.movedim(dimension, 0)[begin::step].movedim(0, dimension)
        elif kind == "select" and made.dim() > 1:
            made = made.select(dimension, chance.randrange(size))
        elif kind == "expand" and size == 1:
            sizes = [-1] * made.dim()
            sizes[dimension] = chance.randint(1, 3)
            made = made.expand(sizes)
        elif kind == "unsqueeze":
            made = made.unsqueeze(dimension)
        text += f" {kind} {dimension}"
    return made, text


def faults(made: torch.Tensor, model: Strided) -> list[str]:
    """What the model says of a tensor and PyTorch does not."""
    size, stride, offset = model
    try:
        flat = made.view(-1).stride(0)
    except RuntimeError:
        flat = None
    pairs = {
        "size": (list(made.size()), size),
        "stride": (list(made.stride()), stride),
        "offset": (made.storage_offset(), offset),
        "order": (made.flatten().tolist(), tensor_storage.visits(size, stride, offset)),
        "contiguous": (made.is_contiguous(), tensor_storage.is_contiguous(size, stride)),
        "view": (flat, tensor_storage.flat_stride(size, stride)),
    }
    return [
        f"{name}: {theirs} and {ours}" for name, (theirs, ours) in pairs.items() if theirs != ours
    ]


def main() -> int:
    """Print how many tensors were compared, and those of which PyTorch says something else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chains", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    given = shown()
    pictures = len(given)
    for _ in range(options.chains):
        made, text = chained(chance)
        model = list(made.size()), list(made.stride()), made.storage_offset()
        given.append((made, model, text))
    views = contiguous = wrong = 0
    for made, model, text in given:
        views += tensor_storage.flat_stride(*model[:2]) is not None
        contiguous += made.is_contiguous()
        found = faults(made, model)
        wrong += bool(found)
        for each in found:
            print(f"{text}: {each}")
    print(f"PyTorch {torch.__version__}: {pictures} pictures and {options.chains} chains compared,")
    print(f"{contiguous} contiguous, {views} with view(-1); {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
