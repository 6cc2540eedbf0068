"""Relative error of accumulated gradients against the gradient of the full batch.

Prints a table for the first of seven seeds, then per variant one number per seed as JSON.
"""

import json

import torch
from torch.nn.functional import mse_loss as mse

SAMPLES, FEATURES, SEEDS = 32, 16, 7
EQUAL, RAGGED = [4] * 8, [10, 10, 10, 2]
VARIANTS = {
    "weighted": "8 micro-batches of 4, weighted",
    "unweighted": "the same, losses not weighted",
    "inside": "the same, zero_grad inside the inner loop",
    "ragged": "micro-batches of 10, 10, 10, 2, weighted",
    "divided": "10, 10, 10, 2, each loss divided by 4",
}


def error(variant, seed):
    torch.manual_seed(seed)
    net = torch.nn.Linear(FEATURES, 1)
    x, y = torch.randn(SAMPLES, FEATURES), torch.randn(SAMPLES, 1)
    mse(net(x), y).backward()
    whole = net.weight.grad.clone()
    sizes = RAGGED if variant in ("ragged", "divided") else EQUAL
    net.zero_grad()
    for part, target in zip(x.split(sizes), y.split(sizes)):
        if variant == "inside":
            net.zero_grad()
        share = {"unweighted": 1, "divided": 1 / len(sizes)}.get(variant, len(part) / SAMPLES)
        (mse(net(part), target) * share).backward()
    return ((net.weight.grad - whole).norm() / whole.norm()).item()


def main():
    torch.set_num_threads(1)
    errors = {variant: [error(variant, seed) for seed in range(SEEDS)] for variant in VARIANTS}
    for variant, words in VARIANTS.items():
        print(f"{words:42} {errors[variant][0]:.2g}")
    print(json.dumps(errors))


if __name__ == "__main__":
    main()
