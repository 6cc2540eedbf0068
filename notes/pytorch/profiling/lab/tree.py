"""The events of one linear layer, forward and backward, as a tree, with their sequence numbers.

    python3 tree.py    the tree, then counts as JSON
"""

import json

import torch
import torch.nn.functional as F
from step import recorded

x = torch.randn(8, 64)
w, b = torch.randn(32, 64, requires_grad=True), torch.randn(32, requires_grad=True)


def once():
    y = F.linear(x, w, b)
    y.backward(torch.ones_like(y))
    w.grad = b.grad = None


def depth(event):
    return 0 if event.cpu_parent is None else 1 + depth(event.cpu_parent)


def inside(event, name):
    return event is not None and (event.name == name or inside(event.cpu_parent, name))


def main():
    torch.set_num_threads(1)
    once()
    events = recorded(once).events()
    first = min(e.sequence_nr for e in events if e.sequence_nr >= 0)
    for event in events:
        number = event.sequence_nr - first if event.sequence_nr >= 0 else ""
        text = "  " * depth(event) + event.name.replace("autograd::engine::", "").replace("torch::autograd::", "")
        print(f"{text:<48} {number!s:>2}".rstrip())
    linear = [e for e in events if inside(e, "aten::linear")]
    nodes = [e for e in events if e.scope == 1]
    numbered = [e for e in nodes if e.sequence_nr >= 0]
    forward = [e for e in events if e.scope == 0 and not e.name.startswith("autograd::") and e.sequence_nr >= 0]
    print(json.dumps({
        "linear": len(linear), "all": len(events), "nodes": len(nodes), "numbered": len(numbered),
        "matched": sum(any(f.sequence_nr == e.sequence_nr for f in forward) for e in numbered),
        "forward_numbered": len(forward), "numbers": len({f.sequence_nr for f in forward}),
        "inference": inference(), "leaf": len(recorded(lambda: torch.mul(x, x)).events()),
    }))  # fmt: skip


def inference():
    with torch.inference_mode():
        events = recorded(lambda: F.linear(x, w, b)).events()
    return len(events)


main()
