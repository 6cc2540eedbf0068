"""Counts reads of tensor values in a training step, in str() of tensors, and without either.

Prints lists, then the counts as one JSON object.
"""

import json
import traceback
import warnings
from collections import Counter
from functools import partial

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

NEEDS_VALUES = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}


def is_mask(index):
    return index is not None and index.dtype in (torch.bool, torch.uint8)


class HostReads(TorchDispatchMode):
    """Record the calls that carry one of the tags; indexing carries it, with or without a mask."""
    def __init__(self):
        super().__init__()
        self.seen = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        masked = func is not torch.ops.aten.index.Tensor or any(map(is_mask, args[1]))
        if masked and NEEDS_VALUES & set(func.tags):
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


def printing(x, how=str):
    """How often str() reads a scalar; it hides from dispatch modes, but not from the profiler."""
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        how(x)
    return sum(e.count for e in prof.key_averages() if e.key == "aten::_local_scalar_dense")


def tagged():
    """How many operators of aten carry one of the tags."""
    names = [n.removeprefix("aten::").partition(".")
             for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::")]
    packets = ((getattr(torch.ops.aten, name, None), overload) for name, _, overload in names)
    found = (getattr(p, overload or "default", None) for p, overload in packets if p)
    return sum(bool(NEEDS_VALUES & set(op.tags)) for op in found if op)


def shown(action):
    """How many of five warnings from one line appear; TORCH_WARN, as in the sync debug mode."""
    x, old = torch.arange(4.0), torch.tensor([1, 0, 1, 0], dtype=torch.uint8)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(action)              # "default" is what Python does with these
        for _ in range(5):
            x[old]                                 # warns that uint8 masks are deprecated
    return len(seen)


def gaps():
    """What of three waits and two copies to the host HostReads sees on the CPU."""
    x = torch.arange(8.0)
    calls = {"bincount": lambda: torch.bincount(x.long()), "repeat": lambda: x.repeat_interleave(
        torch.full((8,), 2)), "assign": lambda: x.__setitem__(x > 3, x.max()), "tolist": x.tolist,
        "str": lambda: str(x)}
    counts = {}
    for name, call in calls.items():
        with HostReads() as mode:
            call()
        counts[f"sees_{name}"] = mode.seen.total()
    return counts


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
        result[f"str_{number}"] = printing(torch.randn(number))
        print(f"str() of {number:4} floats: {result[f'str_{number}']:5} scalar reads")
    loss = torch.randn(64).square().mean()
    result |= {"str_loss": printing(loss), "format_loss": printing(loss, "{:.3f}".format)}
    torch.set_printoptions(sci_mode=False)
    result["str_plain"] = printing(torch.randn(1000))
    torch.set_printoptions(profile="default")
    print(f"str() of a loss: {result['str_loss']}, format(): {result['format_loss']}, "
          f"str() of 1000 floats with sci_mode=False: {result['str_plain']}")
    result |= {"tagged": tagged(), "shown": shown("default"), "shown_always": shown("always")}
    result |= gaps()
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
