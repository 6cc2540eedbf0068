"""Bytes by which tensors grow with each training step, by what the loop keeps, as a table and as JSON."""

import json
from functools import partial

import torch
from model import alive
from torch import nn

STEPS = 10
ROWS, WIDTH = 512, 256


def nothing(loss, out, kept):
    loss.backward()


def item(loss, out, kept):
    loss.backward()
    kept.append(loss.item())


def after_backward(loss, out, kept):
    loss.backward()
    kept.append(loss)


def running_sum(loss, out, kept):
    loss.backward()
    kept[:] = [(kept[0] if kept else 0) + loss]


def retained(loss, out, kept):
    loss.backward(retain_graph=True)
    kept.append(loss)


def retained_dropped(loss, out, kept):
    loss.backward(retain_graph=True)
    kept.append(loss.item())


def no_backward(loss, out, kept):
    kept.append(loss)


def metric(loss, out, kept):
    loss.backward()
    kept.append(out.abs().mean())


def metric_detached(loss, out, kept):
    loss.backward()
    kept.append(out.detach().abs().mean())


def one_row(loss, out, kept):
    loss.backward()
    kept.append(out[0])


CASES = {
    "backward, nothing kept": nothing,
    "backward, keep loss.item()": item,
    "backward, keep loss": after_backward,
    "backward, total = total + loss": running_sum,
    "backward(retain_graph=True), keep loss": retained,
    "backward(retain_graph=True), keep loss.item()": retained_dropped,
    "no backward, keep loss": no_backward,
    "backward, keep out.abs().mean()": metric,
    "backward, keep out.detach().abs().mean()": metric_detached,
    "backward, keep out[0]": one_row,
}


class Attribute(torch.autograd.Function):
    """Keeps a tensor as an attribute of ctx, which backward() does not free."""

    @staticmethod
    def forward(ctx, x):
        ctx.doubled = x * 2
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Saved(torch.autograd.Function):
    """The same with save_for_backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x * 2)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def nodes(root):
    """The number of nodes that can be reached from a node."""
    seen, todo = set(), [root]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [following for following, _ in node.next_functions]
    return len(seen)


def make():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))
    return net, torch.optim.SGD(net.parameters(), lr=1e-3), torch.randn(ROWS, WIDTH)


def growth(keep):
    net, opt, x = make()
    kept = []

    def step():
        out = net(x)
        keep(out.square().mean(), out, kept)
        opt.step()
        opt.zero_grad()

    def run(mark):
        mark("begin")
        for _ in range(STEPS):
            step()

    step()
    step()
    kept.clear()
    found = alive(run)
    return (found["end"] - found["begin"]) / STEPS, nodes(getattr(kept[-1], "grad_fn", None)) if kept else 0


def one_step(retain, mark):
    net, _, x = make()
    net(x).sum().backward()
    mark("before")
    loss = net(x).square().mean()
    mark("forward")
    loss.backward(retain_graph=retain)
    mark("backward")
    del loss
    mark("dropped")


def parts(together, mark):
    """Eight losses: added up for one backward pass, or a backward pass for each."""
    net, _, x = make()
    net(x).sum().backward()
    mark("before")
    total = 0
    for _ in range(8):
        loss = net(x).square().mean()
        if together:
            total = total + loss
        else:
            loss.backward()
    if together:
        total.backward()


def custom(function, mark):
    x = torch.ones(ROWS, WIDTH, requires_grad=True)
    mark("before")
    loss = function.apply(x).sum()
    loss.backward()
    x.grad = None
    mark("backward")


def main():
    torch.set_num_threads(1)
    result = {}
    print(f"{'each step does':<46} {'bytes':>9}  nodes")
    for text, keep in CASES.items():
        grown, count = growth(keep)
        result |= {keep.__name__: grown, f"{keep.__name__}_nodes": count}
        print(f"{text:<46} {grown:>9,.0f}  {count:>5}")
    for retain in (False, True):
        found = alive(partial(one_step, retain))
        for name in ("forward", "backward", "dropped"):
            result[f"{name}_{'retained' if retain else 'freed'}"] = found[name] - found["before"]
    for together in (False, True):
        found = alive(partial(parts, together))
        result["peak_together" if together else "peak_each"] = found["peak"] - found["before"]
    for function in (Attribute, Saved):
        found = alive(partial(custom, function))
        result[f"custom_{function.__name__.lower()}"] = found["backward"] - found["before"]
    print(json.dumps(result))


main()
