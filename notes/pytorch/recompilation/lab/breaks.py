"""Where torch.compile breaks a graph: graphs, operators in them, and the reason, as a table and as JSON.

Every function does four operations with elements if it is run as it is, and one thing more.
"""

import json
import logging
import time

import torch
from torch._dynamo.utils import counters

KEPT = []


def nothing(x):
    return ((x * 2 + 1).relu() - 3)


def printing(x):
    y = x * 2 + 1
    print(end="")
    return y.relu() - 3


def branch(x):
    y = x * 2 + 1
    if y.sum() > 0:
        y = y.relu()
    return y - 3


def item(x):
    y = x * 2 + 1
    return y.relu() - y.sum().item()


def mask(x):
    y = x * 2 + 1
    return y[y > 0] - 3


def clock(x):
    y = x * 2 + 1
    KEPT.append(time.perf_counter())
    return y.relu() - 3


def numpy(x):
    y = x * 2 + 1
    return torch.from_numpy(y.numpy()).relu() - 3


@torch.compiler.disable
def apart(y):
    return y.relu()


def disabled(x):
    return apart(x * 2 + 1) - 3


def loop(x):
    y = x * 2 + 1
    for _ in range(4):
        y = y.relu()
        print(end="")
    return y - 3


def helper(y):
    y = y.relu()
    print(end="")
    return y - 3


def called(x):
    return helper(x * 2 + 1)


def shape(x):
    y = x * 2 + 1
    if y.shape[0] > 2:
        y = y.relu()
    return y - 3


CASES = [nothing, shape, printing, branch, item, mask, clock, numpy, disabled, loop, called]


def explained(function):
    torch._dynamo.reset()
    told = torch._dynamo.explain(function)(torch.ones(4))
    return told.graph_break_count


def found(function, fullgraph):
    torch._dynamo.reset()
    counters.clear()
    graphs = []

    def backend(graph, inputs):
        graphs.append(sum(node.op.startswith("call") for node in graph.graph.nodes))
        return graph.forward

    try:
        torch.compile(function, backend=backend, fullgraph=fullgraph)(torch.ones(4))
        refused = ""
    except torch._dynamo.exc.Unsupported as error:
        refused = str(error).splitlines()[0]
    reasons = [reason.splitlines()[0] for reason in counters["graph_break"]]
    return graphs, sum(counters["graph_break"].values()), "; ".join(reasons), refused


def main():
    logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    result = {}
    print(f"{'function':<9} {'operators':<10} {'counter':>7} {'explain':>7}  {'fullgraph':<9}  reason in the counter")
    for function in CASES:
        graphs, breaks, reasons, _ = found(function, fullgraph=False)
        refused = found(function, fullgraph=True)[3]
        name = function.__name__
        told = explained(function)
        shown = ", ".join(map(str, graphs)) or "-"
        full = "error" if refused else "passes"
        print(f"{name:<9} {shown:<10} {breaks:>7} {told:>7}  {full:<9}  {reasons[:50] or '-'}")
        result |= {f"{name}_graphs": len(graphs), f"{name}_breaks": breaks, f"{name}_told": told}
    print(json.dumps(result))


main()
