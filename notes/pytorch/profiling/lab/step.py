"""The training step that the lab's programs record, and what they share."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile

CPU = [ProfilerActivity.CPU]


def make_step(width, rows, layers=2):
    """A step of a small network: clear gradients, forward, backward, SGD."""
    torch.manual_seed(0)
    inner = [part for _ in range(layers - 1) for part in (nn.Linear(width, width), nn.ReLU())]
    net = nn.Sequential(*inner, nn.Linear(width, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=False)
    x, labels = torch.randn(rows, width), torch.randint(0, 10, (rows,))

    def step():
        opt.zero_grad()
        F.cross_entropy(net(x), labels).backward()
        opt.step()

    step()
    step()
    return step


def recorded(body, **options):
    """Runs body() under the profiler, on the CPU, and returns the profiler."""
    with profile(activities=CPU, **options) as found:
        body()
    return found
