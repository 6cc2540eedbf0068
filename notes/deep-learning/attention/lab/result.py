"""Whether attention by tiles gives what plain attention gives, and how many operations it needs."""

import json

import torch
import torch.nn.functional as F
from attention import inputs, plain, tiled
from torch.utils.flop_counter import FlopCounterMode


def operations(call):
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def main():
    q, k, v = inputs(2, 4096, 64)
    exact = plain(*(x.double() for x in (q, k, v)))
    results = {
        "plain": plain(q, k, v),
        "tiled": tiled(q, k, v),
        "fused": F.scaled_dot_product_attention(q, k, v),
        "uncorrected": tiled(q, k, v, correct=False),
    }
    numbers = {}
    print(f"largest element of the result, in float64: {exact.abs().max().item():.3f}")
    for name, result in results.items():
        numbers[name] = (result - exact).abs().max().item()
        print(f"largest error, {name:12} {numbers[name]:.1e}")
    masked = F.scaled_dot_product_attention(*(x.double() for x in (q, k, v)), is_causal=True)
    numbers["causal"] = (tiled(q, k, v, causal=True) - masked).abs().max().item()
    print(f"largest error, tiled causal {numbers['causal']:.1e}")
    for name, call in {
        "plain": lambda: plain(q, k, v),
        "tiled": lambda: tiled(q, k, v),
        "causal": lambda: tiled(q, k, v, causal=True),
    }.items():
        numbers[f"{name}_flop"] = operations(call)
        print(f"operations of the products, {name:7} {numbers[f'{name}_flop']:14,}")
    print(json.dumps(numbers))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
