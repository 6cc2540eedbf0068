"""How many gradients of the logits become zero or infinite, per format and loss scale.

    python3 gradients.py TOKENS

16 of TOKENS tokens, each with 32,768 logits: the quantiles of a normal distribution with a deviation
of 2. The loss is the mean over all tokens, in float32; its gradient goes back into the format of the
logits, as under autocast. Prints a table, then JSON.
"""

import json
import sys
from statistics import NormalDist

import torch
from torch.nn.functional import cross_entropy

ROWS, CLASSES = 16, 32_768


def gradient(logits, tokens, dtype, power):
    """The gradient of the logits in their format, at a loss scale of 2 ** power."""
    x = logits.to(dtype, copy=True).requires_grad_()   # a copy, or float32 calls would share one .grad
    target = torch.arange(ROWS) * (CLASSES // ROWS)
    loss = cross_entropy(x.float(), target, reduction="sum") / tokens
    (loss * 2.0**power).backward()
    return x.grad


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: gradients.py TOKENS")
    torch.set_num_threads(1)
    tokens = int(arguments[0])
    normal = NormalDist(0, 2)
    row = torch.tensor([normal.inv_cdf((i + 0.5) / CLASSES) for i in range(CLASSES)])
    logits = row.expand(ROWS, CLASSES)
    result = {"of": ROWS * CLASSES}
    print(f"{'format':9}{'loss scale':>11}{'zero':>10}{'infinite':>10}{'of':>9}")
    for name, dtype, powers in (
        ("float16", torch.float16, (0, 4, 8, 12, 16, 20, 24, 28)),
        ("bfloat16", torch.bfloat16, (0,)),
        ("float32", torch.float32, (0,)),
    ):
        for power in powers:
            grad = gradient(logits, tokens, dtype, power)
            zero, infinite = (grad == 0).sum().item(), (~torch.isfinite(grad)).sum().item()
            print(f"{name:9}{'2^' + str(power):>11}{zero:10}{infinite:10}{grad.numel():9}")
            result |= {f"{name}_zero_{power}": zero, f"{name}_inf_{power}": infinite}
    sizes = gradient(logits, tokens, torch.float32, 0).abs().double().log2()
    result |= {"smallest": sizes.min().item(), "middle": sizes.median().item(), "largest": sizes.max().item()}
    print("log2 of the sizes in float32: "
          + ", ".join(f"{name} {result[name]:.1f}" for name in ("smallest", "middle", "largest")))
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
