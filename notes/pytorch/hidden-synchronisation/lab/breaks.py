"""Where torch.compile breaks the graph of four functions because Python needs a value."""

import torch


def scalar(x):
    return x + x.sum().item()


def mask(x):
    return x[x > 0] * 2


def branch(x):
    if x.sum() > 0:
        x = x * 2
    return x


def where(x):
    return torch.where(x.sum() > 0, x * 2, x)


for function in (scalar, mask, branch, where):
    found = torch._dynamo.explain(function)(torch.ones(8))
    why = found.break_reasons[0].reason.splitlines()[0] if found.break_reasons else "-"
    graphs, breaks = found.graph_count, found.graph_break_count
    print(f"{function.__name__:7} graphs {graphs}  breaks {breaks}  {why}")
