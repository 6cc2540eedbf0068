"""CPU time of one call of PyTorch operators on tiny tensors, as JSON: seconds, one per round.

All variants take turns in one process, on one thread; the first round is not reported.
"""

import gc
import json
import sys
import time

import torch

ROUNDS = 21
LIBRARY = torch.library.Library("dispatch_cost", "DEF")


def repeat(operator, *arguments):
    """A function that calls an operator n times."""

    def run(n):
        for _ in range(n):
            operator(*arguments)

    return run


def inside(context, operator, *arguments):
    def run(n):
        with context():
            for _ in range(n):
                operator(*arguments)

    return run


def chain(x, y):
    return torch.tanh(torch.sigmoid(torch.relu(x * y + y)) - y)


def variants():
    """Name: (what to run, calls per sample)."""
    x, y = torch.ones(1), torch.full((1,), 2.0)
    leaf = torch.ones(1, requires_grad=True)
    target, nothing = torch.zeros(1), torch.zeros(1)
    x_64, x_65536 = torch.ones(64), torch.ones(65536)
    double = torch.ones(1, dtype=torch.float64)
    row = torch.ones(2, 4)
    layer = torch.nn.Linear(4, 4)
    linear, weight, bias = torch.nn.functional.linear, layer.weight, layer.bias
    LIBRARY.define("negative(Tensor x) -> Tensor")
    LIBRARY.impl("negative", torch.neg, "CPU")
    own = torch.ops.dispatch_cost.negative
    if not torch.equal(own(y), torch.neg(y)):
        sys.exit("the registered operator does not give what torch.neg gives")
    return {
        "positive": (repeat(torch.positive, x), 40000),
        "add": (repeat(torch.add, x, y), 6000),
        "again": (repeat(torch.add, x, y), 6000),
        "in_place": (repeat(target.add_, nothing), 6000),
        "add_64": (repeat(torch.add, x_64, x_64), 6000),
        "add_65536": (repeat(torch.add, x_65536, x_65536), 600),
        "tensor": (repeat(torch.mul, x, y), 6000),
        "number_32": (repeat(torch.mul, x, 2.0), 3000),
        "number_64": (repeat(torch.mul, double, 2.0), 3000),
        "graph": (repeat(torch.add, leaf, y), 4000),
        "no_grad": (inside(torch.no_grad, torch.add, leaf, y), 6000),
        "inference": (inside(torch.inference_mode, torch.add, leaf, y), 6000),
        "negative": (repeat(torch.neg, x), 6000),
        "own": (repeat(own, x), 1000),
        "chain": (repeat(chain, x, y), 1000),
        "module": (repeat(layer, row), 1000),
        "linear": (repeat(linear, row, weight, bias), 1000),
        "linear_inference": (inside(torch.inference_mode, linear, row, weight, bias), 1500),
    }


def main():
    if len(sys.argv) > 1:
        sys.exit("usage: cost.py")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    timed = variants()
    samples = {name: [] for name in timed}
    gc.disable()
    for turn in range(ROUNDS + 1):
        for name, (run, calls) in timed.items():
            begin = time.thread_time_ns()
            run(calls)
            spent = time.thread_time_ns() - begin
            if turn:
                samples[name].append(spent / calls / 1e9)
    print(json.dumps(samples))


if __name__ == "__main__":
    main()
