"""The peak of the second step by the profiler's allocations, and as ``Alive`` counts it, with and without data."""

import contextlib
import json

import torch
from alive import Alive
from model import Model
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.profiler import ProfilerActivity, profile


def counted(mode, profiled):
    """The peak of the second step on top of what was there before it."""
    torch.manual_seed(0)
    with mode, Alive("cpu") as alive:
        net = Model(8192, 256, 4, 4, 256)
        opt = torch.optim.AdamW(net.parameters(), foreach=True)
        tokens, targets = (torch.randint(0, 8192, (4, 256)) for _ in range(2))

        def step():
            net.loss(tokens, targets).backward()
            opt.step()
            opt.zero_grad()

        step()
        before = alive.now
        if not profiled:
            return alive.most_in(step) - before
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
            alive_peak = alive.most_in(step) - before
    now = peak = 0
    for event in sorted(recorded.profiler.kineto_results.events(), key=lambda e: e.start_ns()):
        if event.name() == "[memory]":
            now += event.nbytes()
            peak = max(peak, now)
    return alive_peak, peak


def main():
    alive, allocated = counted(contextlib.nullcontext(), True)
    print(json.dumps({"alive": alive, "allocated": allocated, "without_data": counted(FakeTensorMode(), False)}))


main()
