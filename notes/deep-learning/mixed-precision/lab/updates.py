"""Updates that vanish when a weight is added to in a narrow format, and two ways to keep them.

    python3 updates.py WEIGHTS STEPS

Weights are the quantiles of a normal distribution with a deviation of 0.02. Each step adds RATE to
each of them, as Adam does with a steady gradient and that learning rate. Prints a table, then JSON.
"""

import json
import sys
from statistics import NormalDist

import torch

RATE = 1e-5


def stochastic(x, generator):
    """float32 rounded to bfloat16, up or down by chance, in proportion to the distance."""
    bits = x.view(torch.int32)
    noise = torch.randint(0, 1 << 16, bits.shape, generator=generator, dtype=torch.int32)
    return ((bits + noise) & -65536).view(torch.float32).bfloat16()


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: updates.py WEIGHTS STEPS")
    torch.set_num_threads(1)
    count, steps = map(int, arguments)
    normal = NormalDist(0, 0.02)
    start = torch.tensor([normal.inv_cdf((i + 0.5) / count) for i in range(count)])
    result = {"weights": count, "steps": steps, "updates": count * steps}
    print(f"{'weights in':32}{'vanished':>10}{'of':>10}{'never moved':>13}{'moved':>8}")
    for key, name, dtype in (
        ("half", "float16", torch.float16),
        ("brain", "bfloat16", torch.bfloat16),
        ("chance", "bfloat16, rounded stochastically", torch.bfloat16),
        ("master", "bfloat16, float32 master copy", torch.bfloat16),
    ):
        weight = start.to(dtype)
        begin, touched, vanished = weight.clone(), torch.zeros(count, dtype=torch.bool), 0
        master, generator = weight.float(), torch.Generator().manual_seed(1)
        for _ in range(steps):
            if key == "master":
                same = master + RATE == master
                master += RATE
                weight = master.to(dtype)
            else:
                exact = weight.float() + RATE
                new = stochastic(exact, generator) if key == "chance" else exact.to(dtype)
                same, weight = new == weight, new
            vanished += same.sum().item()
            touched |= ~same
        still = (~touched).sum().item()
        moved = ((weight.double() - begin.double()).mean() / (RATE * steps)).item()
        print(f"{name:32}{vanished:10}{count * steps:10}{still:13}{moved:8.1%}")
        result |= {f"{key}_vanished": vanished, f"{key}_still": still, f"{key}_moved": moved}
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
