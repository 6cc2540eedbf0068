"""What six ways to get a graph make of a branch, a loop and a side effect, as a table and as JSON.

    python3 trace.py             the table and the numbers
    python3 trace.py warnings    what TorchScript says, each text once
"""

import json
import logging
import sys
import warnings

import torch
from torch import nn

KEPT: list[int] = []


class Branch(nn.Module):
    """Captured with a positive sum, called with a negative one: -3 for each element is right."""

    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x * 3


class Loop(nn.Module):
    """Captured with three rows of ones, called with five: 5 is right."""

    def forward(self, x):
        total = torch.zeros(2)
        for row in range(x.shape[0]):
            total = total + x[row]
        return total


class Effect(nn.Module):
    """Appends to a list of Python, here in three calls: 3 is right."""

    def forward(self, x):
        KEPT.append(1)
        return x * 2


WAYS = {
    "eager": lambda module, x: module,
    "jit_trace": lambda module, x: torch.jit.trace(module, (x,)),
    "jit_script": lambda module, x: torch.jit.script(module),
    "fx": lambda module, x: torch.fx.symbolic_trace(module),
    "export": lambda module, x: torch.export.export(module, (x,)).module(),
    "export_strict": lambda module, x: torch.export.export(module, (x,), strict=True).module(),
    "compile": lambda module, x: torch.compile(module, backend="eager"),
}
NAMES = {
    "eager": "eager",
    "jit_trace": "torch.jit.trace",
    "jit_script": "torch.jit.script",
    "fx": "torch.fx.symbolic_trace",
    "export": "torch.export.export",
    "export_strict": "the same, strict=True",
    "compile": "torch.compile",
}


def branch(way):
    return way(Branch(), torch.ones(3))(-torch.ones(3))[0].item()


def loop(way):
    return way(Loop(), torch.ones(3, 2))(torch.ones(5, 2))[0].item()


def effect(way):
    captured = way(Effect(), torch.ones(3))
    KEPT.clear()
    for _ in range(3):
        captured(torch.ones(3))
    return len(KEPT)


def tried(case, way):
    """The result, or where and with what it was refused."""
    torch._dynamo.reset()
    try:
        return case(way), ""
    except Exception as error:
        return None, type(error).__name__


def told():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.jit.trace(Branch(), (torch.ones(3),))
        torch.jit.script(Branch())
    for one in dict.fromkeys((w.category.__name__, str(w.message)) for w in caught):
        print(f"{one[0]}: {one[1].splitlines()[0]}")


def main():
    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    result = {}
    print(f"{'':<24} {'branch':>22} {'loop':>22} {'effect':>12}")
    for name, way in WAYS.items():
        cells = []
        for case in (branch, loop, effect):
            value, refused = tried(case, way)
            cells.append(refused or f"{value:g}")
            result[f"{name}_{case.__name__}"] = 1000 if value is None else value
        print(f"{NAMES[name]:<24} {cells[0]:>22} {cells[1]:>22} {cells[2]:>12}")
    print(json.dumps(result))


if __name__ == "__main__":
    told() if sys.argv[1:] == ["warnings"] else main()
