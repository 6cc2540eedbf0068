"""The peak of live tensor bytes in the second training step, from the profiler's [memory] events.

    python3 memory.py WIDTH BATCH...     JSON: bytes per batch and way of clearing
"""

import json
import sys

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

LAYERS = 8


def train(width, batch, policy):
    """Two steps; returns the bytes of the parameters."""
    layers = []
    for _ in range(LAYERS):
        layers += [nn.Linear(width, width, bias=False), nn.ReLU()]
    net = nn.Sequential(*layers)
    opt = torch.optim.SGD(net.parameters(), lr=0.01, foreach=False)
    x = torch.randn(batch, width)

    def step():
        if policy != "between":
            opt.zero_grad(set_to_none=policy == "before")
        loss = net(x).square().mean()
        if policy == "between":
            opt.zero_grad()
        loss.backward()
        opt.step()

    step()
    with record_function("second step"):
        step()
    return sum(p.numel() * p.element_size() for p in net.parameters())


def peak(width, batch, policy):
    """The most bytes that were alive at once during the second step, and the parameters' bytes."""
    torch.manual_seed(0)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
        parameters = train(width, batch, policy)
    events = prof.profiler.kineto_results.events()
    begin = next(e.start_ns() for e in events if e.name() == "second step")
    changes = sorted((e.start_ns(), e.nbytes()) for e in events if e.name() == "[memory]")
    now = highest = 0
    for at, change in changes:
        now += change
        if at >= begin:
            highest = max(highest, now)
    if not changes or highest < 2 * parameters:
        sys.exit("the profiler recorded no allocations that could be a training step's")
    return highest, parameters


def main(arguments):
    if len(arguments) < 2:
        sys.exit("usage: memory.py WIDTH BATCH...")
    torch.set_num_threads(1)
    width, *batches = map(int, arguments)
    result = {}
    for batch in batches:
        for policy in ("zero", "between", "before"):
            result[f"{policy}_{batch}"], result["parameters"] = peak(width, batch, policy)
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
