"""Bytes per parameter that a training step holds, after one step of AdamW, per way of mixing formats.

    python3 memory.py WIDTH    a table, then JSON
"""

import json
import sys

import torch


def step(width, dtype, master, autocast):
    """Bytes per parameter: weights, gradients, optimizer state, float32 copies."""
    layer = torch.nn.Linear(width, width, bias=False, dtype=dtype)
    copies = [torch.nn.Parameter(p.detach().float()) for p in layer.parameters()] if master else []
    opt = torch.optim.AdamW(copies or layer.parameters())
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
        y = layer(torch.ones(1, width, dtype=dtype))
    y.float().sum().backward()
    grads = [p.grad for p in layer.parameters()]
    for copy, grad in zip(copies, grads):
        copy.grad = grad.float()
    opt.step()
    for copy, p in zip(copies, layer.parameters()):
        copy.grad = None
        p.data.copy_(copy)
    state = [t for s in opt.state.values() for t in s.values() if t.numel() > 1]
    parts = (layer.parameters(), grads, state, copies)
    return [sum(t.numel() * t.element_size() for t in part) / width**2 for part in parts]


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: memory.py WIDTH")
    torch.set_num_threads(1)
    width, result = int(arguments[0]), {}
    print(f"{'bytes per parameter':36}{'weight':>7}{'grad':>6}{'state':>7}{'copy':>6}{'all':>5}")
    for key, name, dtype, master, autocast in (
        ("full", "float32", torch.float32, False, False),
        ("auto", "float32, forward under autocast", torch.float32, False, True),
        ("narrow", "all in bfloat16", torch.bfloat16, False, False),
        ("master", "bfloat16, float32 copy in AdamW", torch.bfloat16, True, False),
    ):
        parts = step(width, dtype, master, autocast)
        print(f"{name:36}{parts[0]:7g}{parts[1]:6g}{parts[2]:7g}{parts[3]:6g}{sum(parts):5g}")
        result[key] = sum(parts)
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
