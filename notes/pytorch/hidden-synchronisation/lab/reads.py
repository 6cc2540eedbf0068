"""Counts reads of tensor values in a training step, in str() of tensors, and without either.

Prints lists, then the counts as one JSON object.
"""

import json
import traceback
from collections import Counter
from functools import partial

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten
NEEDS_VALUES = {aten._local_scalar_dense.default, aten.nonzero.default, aten.equal.default,
                aten._unique2.default, aten.masked_select.default}


class HostReads(TorchDispatchMode):
    """Record every call whose result, or whose result's shape, depends on tensor values."""
    def __init__(self):
        super().__init__()
        self.seen = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        by_mask = func is aten.index.Tensor and any(
            i is not None and i.dtype == torch.bool for i in args[1])
        if func in NEEDS_VALUES or by_mask:
            line = next(f for f in reversed(traceback.extract_stack())
                        if f.filename == __file__ and f.name != "__torch_dispatch__")
            self.seen[line.lineno, str(func), line.line] += 1
        return func(*args, **(kwargs or {}))


def step_with_reads(net, opt, x, y):
    pred = net(x)
    keep = y.abs() < 2
    loss = nn.functional.mse_loss(pred[keep], y[keep])
    if loss.isnan():
        raise RuntimeError("diverged")
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True)
    opt.step()
    opt.zero_grad()
    return loss.item()


bad = torch.zeros((), dtype=torch.bool)


def step_without(net, opt, x, y):
    pred = net(x)
    keep = y.abs() < 2
    loss = (torch.where(keep, pred - y, 0.0) ** 2).sum() / keep.sum()
    bad.logical_or_(loss.isnan())
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    return loss.detach()


def watch(step, optimizer):
    """How many reads the second step makes, which, and how many parameter tensors there are."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
    opt = optimizer(net.parameters(), lr=0.01)
    x, y = torch.randn(64, 8), torch.randn(64, 1)
    step(net, opt, x, y)
    with HostReads() as mode:
        step(net, opt, x, y)
    return mode.seen.total(), mode.seen, sum(1 for _ in net.parameters())


def losses():
    """The mean over a selection: by mask, by weights, and by weights but over all elements."""
    torch.manual_seed(0)
    pred, y = torch.randn(64, 1), torch.randn(64, 1)
    keep = y.abs() < 1
    squares = torch.where(keep, pred - y, 0.0) ** 2
    mask = nn.functional.mse_loss(pred[keep], y[keep])
    return {"mask": mask.item(), "weights": (squares.sum() / keep.sum()).item(),
            "all": squares.mean().item()}


def printing(number):
    """How often str() reads a scalar; it hides from dispatch modes, but not from the profiler."""
    x = torch.randn(number)
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        str(x)
    return sum(e.count for e in prof.key_averages() if e.key == "aten::_local_scalar_dense")


def gradient(function):
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    function(x).backward()
    return x.grad


def main():
    torch.set_num_threads(1)
    number, seen, tensors = watch(step_with_reads, torch.optim.SGD)
    for (lineno, op, text), n in seen.items():
        print(f"{lineno:3} {n}x {op:34} {text[:52]}")
    result = {"step": number, "tensors": tensors, **losses()}
    result["momentum"] = watch(step_with_reads, partial(torch.optim.SGD, momentum=0.9))[0]
    result["adamw"] = watch(step_with_reads, torch.optim.AdamW)[0]
    result["mended"] = watch(step_without, torch.optim.SGD)[0]
    for number in (3, 100, 1000, 1001):
        result[f"str_{number}"] = printing(number)
        print(f"str() of {number:4} floats: {result[f'str_{number}']:5} scalar reads")
    for name, function in {
        "torch.where(x > 0, x.sqrt(), 0.0)": lambda x: torch.where(x > 0, x.sqrt(), 0.0).sum(),
        "x[x > 0].sqrt()": lambda x: x[x > 0].sqrt().sum(),
        "torch.where(x > 0, x, 1.0).sqrt()": lambda x: torch.where(x > 0, x, 1.0).sqrt().sum(),
    }.items():
        grad = gradient(function)
        print(f"gradient of {name:34} {grad.tolist()}")
        short = "where" if "0.0" in name else "safe" if "1.0" in name else "mask"
        result[f"nan_{short}"] = int(grad.isnan().sum())
    print(json.dumps(result))


if __name__ == "__main__":
    main()
