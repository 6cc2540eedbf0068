"""Counts of the note: sizes by formula, and what a scheduler does with requests. No GPU is used.

usage: serving.py shapes | batching | prompt | load | memory | draft
"""

import json
import math
import random
import sys

from cost import LLAMA_8B, LLAMA_70B, Gpu, Model, step
from scheduler import Request, Server

# NVIDIA's figures for the H100 SXM, as in the facts of this project.
H100 = Gpu(peak=989.4e12, bandwidth=3350e9)
MODEL = LLAMA_8B


def percentile(numbers, share):
    """The smallest number that at least ``share`` of the numbers do not exceed."""
    return sorted(numbers)[max(0, math.ceil(share * len(numbers)) - 1)]


def decode(batch, context):
    return step(MODEL, H100, [(1, context - 1, 1)] * batch)


def prefill(tokens, before=0):
    return step(MODEL, H100, [(tokens, before, 1)])


def shapes():
    """Sizes of two models, and the bounds of single steps."""
    without_groups = Model(**{**vars(LLAMA_8B), "kv_heads": LLAMA_8B.heads})
    result = {
        "parameters": LLAMA_8B.parameters,
        "parameters_ungrouped": without_groups.parameters,
        "weights": LLAMA_8B.parameters * 2,
        "kv": LLAMA_8B.kv,
        "kv_ungrouped": without_groups.kv,
        "large_parameters": LLAMA_70B.parameters,
        "large_weights": LLAMA_70B.parameters * 2,
        "large_kv": LLAMA_70B.kv,
        "blocks_1952": 1952 * 16 * LLAMA_8B.kv,
        "blocks_1952_ungrouped": 1952 * 16 * without_groups.kv,
        "long_cache": 131072 * LLAMA_8B.kv,
    }
    for tokens in (128, 512, 2048, 8192, 32768, 131072):
        result[f"prefill_{tokens}"] = prefill(tokens)
    for batch in (1, 8, 32, 64, 128, 256):
        result[f"decode_{batch}"] = decode(batch, 1000)
        result[f"rate_{batch}"] = batch / decode(batch, 1000)
    result["decode_one_empty"] = decode(1, 1)
    result["decode_one_long"] = decode(1, 131072)
    return result


def batching():
    """Steps for 256 answers in 32 places: the batch fixed until its last answer, or filled each step."""
    generator = random.Random(1)
    mixed = [generator.choice([16, 32, 64, 128, 512]) for _ in range(256)]
    result = {"tokens": sum(mixed)}
    for name, answers in (("mixed", mixed), ("equal", [128] * 256)):
        fixed = sum(max(answers[i : i + 32]) for i in range(0, 256, 32))
        server = Server(MODEL, H100, slots=32).run([Request(0, 1, tokens) for tokens in answers])
        result[f"fixed_{name}"], result[f"filled_{name}"] = fixed, server.steps
        result[f"used_fixed_{name}"] = sum(answers) / (32 * fixed)
        result[f"used_filled_{name}"] = sum(answers) / (32 * server.steps)
    return result


CASES = {
    "none": None,
    "whole": {},
    "8192": {"budget": 8192},
    "2048": {"budget": 2048},
    "512": {"budget": 512},
    "128": {"budget": 128},
    "apart": {"budget": 2048, "separate": True},
    "capped": {"budget": 2048, "longest": 1024},
}


def prompt():
    """32 answers run; then a prompt of 32,768 tokens comes, and right behind it one of 100 tokens."""
    result = {}
    print(f"{'budget':<8} {'steps':>6} {'long first':>11} {'short first':>12} {'longest gap':>12} {'p99 gap':>9}")
    for name, options in CASES.items():
        users = [Request.begun(1000, 512) for _ in range(32)]
        late = [Request(0.5, 32768, 2), Request(0.5 + 1e-9, 100, 2)] if options is not None else []
        server = Server(MODEL, H100, **(options or {})).run(late, users)
        gaps = [gap for user in users for gap in user.gaps]
        each = (users[0].times[-1] - users[0].times[0]) / 511
        row = {
            "steps": server.steps,
            "longest": max(gaps),
            "middle": percentile(gaps, 0.5),
            "p99": percentile(gaps, 0.99),
            "mean": each,
            "first": late[0].first if late else 0,
            "behind": late[1].first if late else 0,
        }
        result |= {f"{key}_{name}": number for key, number in row.items()}
        firsts = [f"{request.first * 1000:.0f} ms" for request in late] or ["-", "-"]
        print(
            f"{name:<8} {row['steps']:>6} {firsts[0]:>11} {firsts[1]:>12}"
            f" {max(gaps) * 1000:>9.1f} ms {row['p99'] * 1000:>6.1f} ms"
        )
    return result


def load():
    """1,000 requests at random times: prompt 1,000, answer 200 tokens; good is 200 ms and 20 ms."""
    result = {}
    print(f"{'rate':>5} {'TTFT p50':>10} {'TTFT p99':>10} {'TPOT p50':>10} {'ITL p99':>10} {'tokens/s':>9} {'good':>6}")
    for rate in (10, 20, 30, 40, 45, 50, 55, 60):
        generator = random.Random(2)
        arrival, requests = 0.0, []
        for _ in range(1000):
            arrival += generator.expovariate(rate)
            requests.append(Request(arrival, 1000, 200))
        server = Server(MODEL, H100, budget=2048, slots=256).run(requests)
        firsts = [request.first for request in requests]
        each = [(r.times[-1] - r.times[0]) / (r.answer - 1) for r in requests]
        gaps = [gap for request in requests for gap in request.gaps]
        good = sum(f <= 0.2 and e <= 0.02 for f, e in zip(firsts, each)) / server.now
        row = {
            "ttft50": percentile(firsts, 0.5),
            "ttft99": percentile(firsts, 0.99),
            "tpot50": percentile(each, 0.5),
            "itl99": percentile(gaps, 0.99),
            "output": 1000 * 200 / server.now,
            "good": good,
        }
        result |= {f"{key}_{rate}": number for key, number in row.items()}
        print(
            f"{rate:>5} {row['ttft50'] * 1000:>7.0f} ms {row['ttft99'] * 1000:>7.0f} ms {row['tpot50'] * 1000:>7.1f} ms"
            f" {row['itl99'] * 1000:>7.1f} ms {row['output']:>9.0f} {good:>6.1f}"
        )
    return result


def memory():
    """What a small cache does: 1,952 blocks of 16 tokens, 64 requests of 512 and 1,024 tokens."""
    room = 1952 * 16
    result = {"room": room, "whole_reserved": room // 131072, "reserved_8192": room // 8192}
    generator = random.Random(3)
    lengths = [generator.randrange(200, 1800) for _ in range(400)]
    blocks = fit = wasted = held = 0
    for length in lengths:
        blocks += math.ceil(length / 16)
        if blocks > 1952:
            break
        fit, wasted, held = fit + 1, wasted + -length % 16, held + length
    result |= {"paged_full": room // 8192, "paged": fit, "waste": wasted / (wasted + held), "mean": held / fit}
    result["waste_reserved"] = 1 - held / (fit * 8192)
    for slots in (256, 24, 20):
        server = Server(MODEL, H100, budget=2048, slots=slots, capacity=room)
        requests = [Request(0, 512, 1024) for _ in range(64)]
        server.run(requests)
        result |= {
            f"preempted_{slots}": server.preempted,
            f"again_{slots}": server.again,
            f"time_{slots}": server.now,
            f"gap_{slots}": max(gap for request in requests for gap in request.gaps),
            f"most_{slots}": server.most,
            f"first_{slots}": percentile([request.first for request in requests], 0.5),
            f"last_{slots}": max(request.first for request in requests),
        }
    return result


def expected(accepted, drafted):
    """Tokens of a step that checks ``drafted`` tokens, each right with the same probability."""
    return sum(accepted**i for i in range(drafted + 1))


def draft():
    """Speculative decoding with 4 drafted tokens that cost nothing, at several batch sizes."""
    result = {f"tokens_{share}": expected(share / 100, 4) for share in (40, 60, 80)}
    for batch in (1, 16, 64, 128, 256):
        check = step(MODEL, H100, [(5, 500, 5)] * batch) / step(MODEL, H100, [(1, 500, 1)] * batch)
        result[f"check_{batch}"] = check
        for share in (40, 60, 80):
            result[f"gain_{share}_{batch}"] = expected(share / 100, 4) / check
    generator = random.Random(4)
    produced = 0
    for _ in range(100_000):
        produced += 1
        for _ in range(4):
            if generator.random() >= 0.6:
                break
            produced += 1
    result["drawn_60"] = produced / 100_000
    return result


def main():
    command = {f.__name__: f for f in (shapes, batching, prompt, load, memory, draft)}[sys.argv[1]]
    result = command()
    print(json.dumps({key: round(number, 9) for key, number in result.items()}))


main()
