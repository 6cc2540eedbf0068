"""CPU time of eager and compiled calls, as JSON: seconds for one call, one sample per round.

All variants take turns in one process, on one thread; the calls that compile and the first round are not
counted. lab.yml tells glibc to keep freed memory, or page faults would be most of what is measured.
"""

import gc
import json
import time

import fresh  # noqa: F401
import torch

ROUNDS = 15


def one(x):
    return x + x


def chain(x):
    return (torch.relu(x * x + x) - 0.5) * x


def product(x):
    return x @ x


def main():
    torch.set_num_threads(1)
    tiny, large, square = torch.ones(16), torch.randn(1 << 20), torch.randn(512, 512)
    variants = {}
    with torch.inference_mode():
        for name, function, x, calls in (
            ("one", one, tiny, 2000),
            ("chain", chain, tiny, 500),
            ("large", chain, large, 2),
            ("product", product, square, 4),
        ):
            torch._dynamo.reset()
            compiled = torch.compile(function)
            compiled(x)
            variants[f"{name}_eager"] = (function, x, calls)
            variants[f"{name}_compiled"] = (compiled, x, calls)
            variants[f"{name}_again"] = (function, x, calls)
        samples = {name: [] for name in variants}
        gc.disable()
        for turn in range(ROUNDS + 1):
            order = list(variants.items())
            for name, (work, x, calls) in order[:: 1 if turn % 2 else -1]:
                work(x)
                begin = time.thread_time_ns()
                for _ in range(calls):
                    work(x)
                spent = time.thread_time_ns() - begin
                if turn:
                    samples[name].append(spent / 1e9 / calls)
    print(json.dumps(samples))


main()
