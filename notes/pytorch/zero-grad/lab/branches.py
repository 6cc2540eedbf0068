"""How many calls of add_ and zero_ one backward pass and one zero_grad make, per way of clearing.

Prints a table, then the counts as one JSON object.
"""

import json

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

LAYERS = 10


def counts(set_to_none, **options):
    torch.manual_seed(0)
    net = nn.Sequential(*[nn.Linear(64, 64) for _ in range(LAYERS)])   # 20 parameter tensors
    opt = torch.optim.SGD(net.parameters(), lr=0.01, **options)
    x = torch.randn(8, 64)
    for _ in range(3):
        net(x).sum().backward()
        opt.step()
        opt.zero_grad(set_to_none=set_to_none)
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        net(x).sum().backward()
        opt.zero_grad(set_to_none=set_to_none)
    n = {event.key: event.count for event in prof.key_averages()}
    return {key: n.get(key, 0) for key in ("aten::add_", "aten::zero_", "aten::_foreach_zero_")}


def main():
    torch.set_num_threads(1)
    result = {"tensors": sum(1 for _ in nn.Linear(64, 64).parameters()) * LAYERS}
    for name, short, options in (
        ("None", "none", {"set_to_none": True}),
        ("zero", "zero", {"set_to_none": False}),
        ("zero, foreach=True", "list", {"set_to_none": False, "foreach": True}),
    ):
        found = counts(**options)
        print(f"{name:18} {found}")
        for key, value in found.items():
            result[f"{short}_{key.removeprefix('aten::').strip('_')}"] = value
    print(json.dumps(result))


if __name__ == "__main__":
    main()
