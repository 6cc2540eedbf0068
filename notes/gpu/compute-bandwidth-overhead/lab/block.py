"""One block of a transformer in eager PyTorch: operators, FLOP and bytes of a forward pass, by the tokens.

    python3 block.py P BETA T      peak in TFLOP/s, bandwidth in GB/s, microseconds per launch

The three times are bounds by a formula, not measurements.
"""

import json
import sys

import torch
import torch.nn.functional as F
from counter import counted

torch.set_default_device("meta")
torch.set_default_dtype(torch.bfloat16)


def weights(width, training):
    shapes = {"qkv": (3 * width, width), "out": (width, width), "up": (4 * width, width), "down": (width, 4 * width)}
    shapes |= {"gain": (width,), "shift": (width,)}
    return {name: torch.empty(shape, requires_grad=training) for name, shape in shapes.items()}


def block(x, w, heads):
    """Attention and feed-forward layer, with the softmax of the scores written to memory."""
    tokens, width = x.shape
    y = F.layer_norm(x, (width,), w["gain"], w["shift"])
    q, k, v = F.linear(y, w["qkv"]).view(tokens, 3, heads, width // heads).permute(1, 2, 0, 3)
    scores = (q @ k.transpose(-1, -2)) * (width // heads) ** -0.5
    y = (scores.softmax(-1) @ v).transpose(0, 1).reshape(tokens, width)
    x = x + F.linear(y, w["out"])
    y = F.layer_norm(x, (width,), w["gain"], w["shift"])
    return x + F.linear(F.gelu(F.linear(y, w["up"])), w["down"])


def count(tokens, width, training=False):
    x, w = torch.empty(tokens, width), weights(width, training)

    def forward():
        return block(x, w, heads=width // 64)

    return counted(lambda: forward().sum().backward()) if training else counted(forward)


def main(arguments):
    tera, giga, micro = map(float, arguments)
    peak, bandwidth, launch = 1e12 * tera, 1e9 * giga, 1e-6 * micro
    result = {}
    print(f"{'width':>5s} {'tokens':>6s} {'operators':>9s} {'launches':>10s} {'bytes/beta':>11s} {'FLOP/P':>10s}")
    for width in (1024, 4096):
        for tokens in (1, 16, 64, 256, 1024, 4096):
            c = count(tokens, width)
            times = {"launches": c.operators * launch, "memory": c.bytes / bandwidth, "arithmetic": c.flop / peak}
            row = [f"{1e6 * each:.1f} us" for each in times.values()]
            print(f"{width:5d} {tokens:6d} {c.operators:9d} {row[0]:>10s} {row[1]:>11s} {row[2]:>10s}")
            at = f"{width}_{tokens}"
            result |= {f"{name}_{at}": time for name, time in times.items()}
            result[f"operators_{at}"] = c.operators
    result["operators_training"] = count(1024, 1024, training=True).operators
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
