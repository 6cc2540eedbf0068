"""CPU time of zero_grad, and of zero_grad with the backward pass, on one thread.

    python3 cost.py WIDTH LAYERS BATCH    JSON: seconds, one number per round

Two networks take turns in one process: one is cleared with zeros, one with None. The first rounds
are not reported.
"""

import gc
import json
import sys
import time

import torch
from torch import nn

ROUNDS = 21
WARM = 2


def make(width, layers):
    torch.manual_seed(0)
    net = nn.Sequential(*[nn.Linear(width, width) for _ in range(layers)])
    return net, torch.optim.SGD(net.parameters(), lr=0.0)


def once(net, opt, x, none):
    """Seconds of zero_grad, and of zero_grad and backward; the forward pass is between them."""
    begin = time.thread_time_ns()
    opt.zero_grad(set_to_none=none)
    cleared = time.thread_time_ns() - begin
    loss = net(x).sum()
    begin = time.thread_time_ns()
    loss.backward()
    return cleared / 1e9, (cleared + time.thread_time_ns() - begin) / 1e9


def main(arguments):
    if len(arguments) != 3:
        sys.exit("usage: cost.py WIDTH LAYERS BATCH")
    width, layers, batch = map(int, arguments)
    torch.set_num_threads(1)
    nets = {name: make(width, layers) for name in ("zero", "none", "again")}
    x = torch.randn(batch, width)
    samples = {f"{kind}_{name}": [] for name in nets for kind in ("clear", "both")}
    gc.disable()
    for turn in range(WARM + ROUNDS):
        order = list(nets) if turn % 2 else list(nets)[::-1]
        for name in order:
            clear, both = once(*nets[name], x, name != "zero")
            if turn >= WARM:
                samples[f"clear_{name}"].append(clear)
                samples[f"both_{name}"].append(both)
    number = sum(p.numel() for p in nets["zero"][0].parameters())
    print(json.dumps(samples | {"parameters": number, "size": x.element_size()}))


if __name__ == "__main__":
    main(sys.argv[1:])
