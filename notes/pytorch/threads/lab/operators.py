"""The operators that the lab runs in float32 and in bfloat16."""

import torch

TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
TEXTS = {
    "linear": "Linear(512, 512)",
    "product": "x @ w, 512 x 512",
    "conv": "Conv2d(64, 64, 3)",
    "conv_last": "the same, channels_last",
    "add": "torch.add, 1,000,000",
}


def linear(dtype):
    layer, x = torch.nn.Linear(512, 512).to(dtype), torch.rand(256, 512).to(dtype)
    return torch.no_grad()(lambda: layer(x))


def product(dtype):
    x, w = torch.rand(256, 512).to(dtype), torch.rand(512, 512).to(dtype)
    return lambda: x @ w


def conv(dtype, layout=torch.contiguous_format):
    layer = torch.nn.Conv2d(64, 64, 3, padding=1).to(dtype).to(memory_format=layout)
    x = torch.rand(2, 64, 28, 28).to(dtype).to(memory_format=layout)
    return torch.no_grad()(lambda: layer(x))


def conv_last(dtype):
    return conv(dtype, torch.channels_last)


def add(dtype):
    x, out = torch.rand(1_000_000).to(dtype), torch.empty(1_000_000, dtype=dtype)
    return lambda: torch.add(x, x, out=out)


CASES = {"linear": linear, "product": product, "conv": conv, "conv_last": conv_last, "add": add}
