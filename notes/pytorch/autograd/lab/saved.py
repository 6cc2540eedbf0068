"""What the node of each operator saves for the backward pass, as a table and as JSON.

Every expression is applied to h, an intermediate result of 1 MiB that needs a gradient. A saved tensor
is named after what it shares its storage with; bytes are those of other storages.
"""

import json

import torch
import torch.nn.functional as F

SIDE = 512
x = torch.rand(SIDE, SIDE, requires_grad=True)
w = torch.rand(SIDE, SIDE, requires_grad=True)
CASES = {
    "h + w": lambda h: h + w,
    "h * 2": lambda h: h * 2,
    "h * w": lambda h: h * w,
    "h * h": lambda h: h * h,
    "h @ w": lambda h: h @ w,
    "h @ w.detach()": lambda h: h @ w.detach(),
    "h.exp()": lambda h: h.exp(),
    "h.relu()": lambda h: h.relu(),
    "h.sin()": lambda h: h.sin(),
    "h.sum()": lambda h: h.sum(),
    "h.t()": lambda h: h.t(),
    "F.gelu(h)": F.gelu,
    "h.softmax(-1)": lambda h: h.softmax(-1),
    "F.layer_norm(h, (512,))": lambda h: F.layer_norm(h, (SIDE,)),
    "F.dropout(h)": F.dropout,
    "h.max(1).values": lambda h: h.max(1).values,
}


def place(tensor):
    return tensor.untyped_storage().data_ptr()


def saved_by(node):
    """The tensors that a node saves, by name."""
    found = {}
    for name in dir(node):
        if name.startswith("_saved_"):
            value = getattr(node, name)
            if isinstance(value, torch.Tensor):
                found[name.removeprefix("_saved_")] = value
    return found


def main():
    bytes_of = {}
    print(f"{'expression':<24} {'node':<26} {'saves':<18} other bytes")
    for text, function in CASES.items():
        h = x * 1.0
        result = function(h)
        known = {place(result): "result", place(w): "w", place(h): "h"}
        saved = saved_by(result.grad_fn)
        words = [known.get(place(t), name) for name, t in saved.items()]
        others = {place(t): t.untyped_storage().nbytes() for t in saved.values() if place(t) not in known}
        bytes_of[text] = sum(others.values())
        saves = ", ".join(sorted(set(words))) or "-"
        print(f"{text:<24} {type(result.grad_fn).__name__:<26} {saves:<18} {bytes_of[text]:>11,}")
    print(json.dumps({"sum": bytes_of["h.sum()"], "dropout": bytes_of["F.dropout(h)"],
                      "max": bytes_of["h.max(1).values"], "layer_norm": bytes_of["F.layer_norm(h, (512,))"],
                      "h": h.untyped_storage().nbytes()}))  # fmt: skip


main()
