"""Counts what one line of PyTorch calls, at three depths, and prints JSON.

    python3 count.py            the counts as one JSON object
    python3 count.py show NAME  the names behind the counts of one case

functions    calls that reach __torch_function__: the Python interface
dispatched   calls that reach __torch_dispatch__: below autograd
observed     calls that the dispatcher reports to the profiler, nested ones included
"""

import json
import sys

import torch
from torch.overrides import TorchFunctionMode
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode


class Functions(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.names.append(function.__name__)
        return function(*args, **(kwargs or {}))


class Dispatched(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.append(str(function))
        return function(*args, **(kwargs or {}))


def observed(work):
    with profile(activities=[ProfilerActivity.CPU]) as recorded:
        work()
    events = [e for e in recorded.events() if e.name.startswith("aten::")]
    return [f"{'  ' * depth(e)}{e.name}" for e in events]


def depth(event):
    above = 0
    while event.cpu_parent is not None:
        event, above = event.cpu_parent, above + 1
    return above


def chain(x, two, one, half):
    return torch.tanh(torch.sigmoid(torch.relu(x * two + one)) - half)


def cases():
    x = torch.ones(4)
    x64 = torch.ones(4, dtype=torch.float64)
    leaf = torch.ones(4, requires_grad=True)
    two, one, half = torch.full((4,), 2.0), torch.full((4,), 1.0), torch.full((4,), 0.5)
    row, weight, bias = torch.ones(2, 4), torch.ones(4, 4), torch.ones(4)

    def inferring():
        with torch.inference_mode():
            torch.nn.functional.linear(row, weight, bias)

    return {
        "shape": lambda: x.shape,
        "add": lambda: torch.add(x, one),
        "chain": lambda: chain(x, two, one, half),
        "chain_numbers": lambda: chain(x, 2.0, 1.0, 0.5),
        "chain_graph": lambda: chain(leaf, two, one, half),
        "tensor": lambda: torch.mul(x, two),
        "number_32": lambda: torch.mul(x, 2.0),
        "number_64": lambda: torch.mul(x64, 2.0),
        "linear": lambda: torch.nn.functional.linear(row, weight, bias),
        "linear_inference": inferring,
        "einsum": lambda: torch.einsum("ij,jk->ik", row, weight),
        "softmax": lambda: torch.softmax(row, -1),
    }


def names(work):
    """What one case calls, at each depth; the first call is not counted."""
    work()
    with Functions() as functions:
        work()
    with Dispatched() as dispatched:
        work()
    return {
        "functions": functions.names,
        "dispatched": dispatched.names,
        "observed": observed(work),
    }


def main(arguments):
    torch.set_num_threads(1)
    known = cases()
    if len(arguments) == 2 and arguments[0] == "show" and arguments[1] in known:
        for layer, listed in names(known[arguments[1]]).items():
            print(f"{layer}: {len(listed)}")
            for name in listed:
                print(f"  {name}")
    elif not arguments:
        result = {}
        for case, work in known.items():
            for layer, listed in names(work).items():
                result[f"{case}_{layer}"] = len(listed)
        if result["add_dispatched"] != 1:
            sys.exit("one addition was not seen as one dispatched operator")
        print(json.dumps(result))
    else:
        sys.exit(f"usage: count.py [show {' | '.join(known)}]")


if __name__ == "__main__":
    main(sys.argv[1:])
