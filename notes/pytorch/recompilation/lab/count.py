"""How often torch.compile compiles, by what changes from call to call, as a table and as JSON.

The backend is ours: it counts the graphs that it is given and runs them as they are.
"""

import json
import logging
from collections import Counter

import torch
from torch import nn
from torch._dynamo import mark_dynamic

CALLS = 12
tally = Counter()


def backend(graph, inputs):
    tally["made"] += 1

    def run(*args):
        tally["ran"] += 1
        return graph.forward(*args)

    return run


def double(x):
    return (x * 2).sum()


def scaled(x, factor):
    return x * factor


class Layer(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return x * self.factor


class Counted(nn.Module):
    """A module that counts its calls in a Python integer."""

    def __init__(self, counter=0):
        super().__init__()
        self.calls = counter

    def forward(self, x):
        self.calls += 1
        return x * self.calls


def marked(size):
    x = torch.ones(size)
    mark_dynamic(x, 0)
    return x


sizes = range(4, 4 + CALLS)
layers = [Layer(n) for n in sizes]
same = [(torch.ones(4),)] * CALLS
other_sizes = [(torch.ones(n),) for n in sizes]
CASES = {
    "same": ("nothing", double, {}, same),
    "automatic": ("the size", double, {}, other_sizes),
    "static": ("the size, dynamic=False", double, {"dynamic": False}, other_sizes),
    "limit2": ("the same, recompile_limit=2", double, {"dynamic": False, "recompile_limit": 2}, other_sizes),
    "dynamic": ("the size, dynamic=True", double, {"dynamic": True}, other_sizes),
    "marked": ("the size, mark_dynamic(x, 0)", double, {}, [(marked(n),) for n in sizes]),
    "zero_one": ("sizes 4, 5, 1, 0 in turn", double, {}, [(torch.ones(n),) for n in (4, 5, 1, 0) * 3]),
    "dimensions": ("the number of dimensions", double, {}, [(torch.ones([1] * n),) for n in range(1, 1 + CALLS)]),
    "stride": ("the stride: 1, 2 in turn", double, {}, [(torch.ones(8)[:: 1 + n % 2][:4],) for n in sizes]),
    "dtype": ("float32, float64 in turn", double, {}, [(torch.ones(4, dtype=(torch.float32, torch.float64)[n % 2]),) for n in sizes]),
    "grad": ("requires_grad in turn", double, {}, [(torch.ones(4, requires_grad=n % 2 == 0),) for n in sizes]),
    "integer": ("an integer argument", scaled, {}, [(torch.ones(4), n) for n in sizes]),
    "attribute": ("an integer attribute of the module", Counted(), {}, same),
    "tensor": ("a tensor attribute of the module", Counted(torch.zeros(())), {}, same),
    "layers": ("the module: twelve of one class", layers, {}, same),
    "isolated": ("the same, isolate_recompiles=True", layers, {"isolate_recompiles": True}, same),
}  # fmt: skip


def count(functions, options, calls):
    """Graphs compiled in all, the last call that compiled, and calls that ran a compiled graph.

    Several functions take turns, one call each.
    """
    torch._dynamo.reset()
    tally.clear()
    last = 0
    functions = functions if isinstance(functions, list) else [functions] * len(calls)
    compiled = [torch.compile(function, backend=backend, **options) for function in functions]
    for number, (call, arguments) in enumerate(zip(compiled, calls, strict=True), 1):
        before = tally["made"]
        call(*arguments)
        last = number if tally["made"] > before else last
    return tally["made"], last, tally["ran"]


def main():
    logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    result = {}
    print(f"{'changes in twelve calls':<36} compiled  last at  ran compiled")
    for name, (text, *case) in CASES.items():
        compiled, last, compiled_calls = count(*case)
        print(f"{text:<36} {compiled:>8}  {last:>7}  {compiled_calls:>12}")
        result |= {f"{name}_made": compiled, f"{name}_ran": compiled_calls}
    print(json.dumps(result))


main()
