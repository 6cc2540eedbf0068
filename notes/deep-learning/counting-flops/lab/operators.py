"""What torch.utils.flop_counter counts for single operators, on the meta device and on the CPU.

    python3 operators.py    a table, then the counts as JSON

The column "formula" is two operations for each multiplication that the result needs.
"""

import json

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode


def tensor(*sizes, device):
    return torch.empty(*sizes, device=device, requires_grad=True)


def linear(device):
    layer = nn.Linear(256, 512, device=device)
    return lambda: layer(tensor(64, 256, device=device))


def convolution(device, groups=1):
    layer = nn.Conv2d(64, 64, 3, padding=1, groups=groups, bias=False, device=device)
    return lambda: layer(tensor(8, 64, 28, 28, device=device))


def depthwise(device):
    return convolution(device, groups=64)


def products(device):
    return lambda: tensor(8, 128, 64, device=device) @ tensor(8, 64, 128, device=device)


def attention(device, **options):
    def run():
        q, k, v = (tensor(2, 4, 128, 64, device=device) for _ in range(3))
        return F.scaled_dot_product_attention(q, k, v, **options)

    return run


def causal(device):
    return attention(device, is_causal=True)


def lstm(device):
    layer = nn.LSTM(32, 64, device=device)
    return lambda: layer(tensor(10, 4, 32, device=device))[0]


CASES = {
    "linear": (linear, 2 * 64 * 256 * 512),
    "convolution": (convolution, 2 * 8 * 28 * 28 * 64 * 64 * 9),
    "depthwise": (depthwise, 2 * 8 * 28 * 28 * 64 * 9),
    "products": (products, 2 * 8 * 128 * 128 * 64),
    "attention": (attention, 2 * 2 * 4 * 128 * 128 * 2 * 64),
    "causal": (causal, 2 * 2 * 4 * (128 * 129 // 2) * 2 * 64),
    "lstm": (lstm, 2 * 10 * 4 * 4 * 64 * (32 + 64)),
}


def count(run):
    """Operations of the forward pass, and of the backward pass."""
    with FlopCounterMode(display=False) as forward:
        result = run()
    with FlopCounterMode(display=False) as backward:
        result.sum().backward()
    return forward.get_total_flops(), backward.get_total_flops()


def encoder(device):
    """One encoder layer in inference, where PyTorch takes a fused path on the CPU."""
    layer = nn.TransformerEncoderLayer(64, 4, 256, batch_first=True, device=device).eval()
    with torch.inference_mode(), FlopCounterMode(display=False) as counter:
        layer(torch.empty(2, 128, 64, device=device))
    return counter.get_total_flops()


def main():
    result = {}
    print(f"{'operator':<12} {'formula':>12} {'meta':>12} {'backward':>12} {'CPU':>12}")
    for name, (make, formula) in CASES.items():
        forward, backward = count(make("meta"))
        on_cpu, _ = count(make("cpu"))
        print(f"{name:<12} {formula:>12,} {forward:>12,} {backward:>12,} {on_cpu:>12,}")
        result |= {name: formula, f"{name}_meta": forward, f"{name}_backward": backward, f"{name}_cpu": on_cpu}
    result |= {
        "encoder": 2 * 2 * 128 * 12 * 64**2 + 2 * 2 * 128 * 128 * 2 * 64,
        "encoder_meta": encoder("meta"),
        "encoder_cpu": encoder("cpu"),
        "dropout_cpu": count(attention("cpu", dropout_p=0.1))[0],
    }
    print(f"{'encoder':<12} {result['encoder']:>12,} {result['encoder_meta']:>12,} {'':>12} {result['encoder_cpu']:>12,}")
    print(json.dumps(result))


main()
