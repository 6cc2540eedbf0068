"""Adam's second moment after one gradient of 1 and STEPS gradients of 0, per format of the parameter.

    python3 adam.py STEPS    a table, then JSON
"""

import json
import sys

import torch


def second_moment(dtype, beta, steps):
    weight = torch.nn.Parameter(torch.ones(4, dtype=dtype))
    opt = torch.optim.AdamW([weight], lr=1e-5, betas=(0.9, beta), weight_decay=0.0)
    for step in range(steps + 1):
        weight.grad = torch.full_like(weight, 1.0 if step == 0 else 0.0)
        opt.step()
        if step == 0:
            first = opt.state[weight]["exp_avg_sq"][0].item()
    state = opt.state[weight]["exp_avg_sq"]
    return state[0].item() / first, str(state.dtype).removeprefix("torch.")


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: adam.py STEPS")
    torch.set_num_threads(1)
    steps = int(arguments[0])
    result = {}
    print(f"{'parameter':10}{'beta2':>7}  {'state':9}{'left of the second moment':>27}{'exact':>12}")
    for dtype in (torch.float32, torch.bfloat16):
        for beta in (0.999, 0.95):
            left, kind = second_moment(dtype, beta, steps)
            name = str(dtype).removeprefix("torch.")
            print(f"{name:10}{beta:7}  {kind:9}{left:27.4g}{beta**steps:12.4g}")
            result[f"{name}_{str(beta).replace('0.', '')}"] = left
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
