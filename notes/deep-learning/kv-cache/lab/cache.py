"""Counts of the note. No GPU is used and nothing is timed.

usage: cache.py sizes | tokens | decode | waste | prefix | turns | full
"""

import json
import math
import random
import sys

import models
from blocks import Pool
from prompts import SINGLE, single, talk

GIB = 2**30
H100 = 3350e9  # B/s, NVIDIA's figure, as in the facts of this project
WEIGHTS_8B = 8_030_261_248 * 2


def sizes():
    """Bytes per token of each model in 16 bits, and of a request of 131,072 tokens."""
    result = {}
    print(f"{'KiB per token':<15} {'at first':>9} {'windows full':>13} {'131,072 tokens':>15}")
    for name, groups in models.MODELS.items():
        token, late = models.per_token(groups), models.per_token_late(groups)
        whole = models.request(groups, 131072)
        print(f"{name:<15} {token / 1024:>9.1f} {late / 1024:>13.1f} {whole / GIB:>11.2f} GiB")
        key = name.replace("-", "_")
        result |= {f"{key}": token, f"{key}_late": late, f"{key}_long": whole}
    groups = models.MODELS["deepseek-v3"]
    plain = models.heads(61, 128, 128)
    wide = 61 * 128 * (128 + 64 + 128) * 2  # keys of 128 + 64 numbers, values of 128, for each head
    result |= {"latent_saves": wide / models.per_token(groups), "plain": models.per_token([plain])}
    for gpus in (1, 4, 8, 16):
        result[f"split_{gpus}"] = models.per_gpu(80, 8, 128, gpus)
    return result


def tokens():
    """Tokens that fit into what servers logged, from the models' shapes."""
    qwen = 2 * 28 * 8 * 128 * 2
    coder = models.per_token(models.MODELS["qwen3-30b-a3b"])
    return {
        "qwen_token": qwen,
        "qwen_fit": 18.78 * GIB / qwen,
        "coder_need": 262144 * coder,
        "coder_fit": 3.18 * GIB / coder,
    }


def decode():
    """Bytes that a step of Llama 3.1 8B reads for one request, and the least time on an H100."""
    result = {}
    each = models.per_token(models.MODELS["llama31-8b"])
    read = WEIGHTS_8B - 128256 * 4096 * 2  # the table of embeddings is not read as a whole
    print(f"{'tokens before':>13} {'cache, GiB':>11} {'weights, GiB':>13} {'step, ms':>9} {'per s':>6}")
    for count in (1024, 8192, 32768, 131072):
        cache = count * each
        step = (read + cache) / H100
        print(
            f"{count:>13,} {cache / GIB:>11.2f} {read / GIB:>13.2f} {step * 1000:>9.2f} {1 / step:>6.0f}"
        )
        result |= {f"cache_{count}": cache, f"step_{count}": step, f"rate_{count}": 1 / step}
    result["read"] = read
    result["even"] = read / each
    return result


def waste():
    """Blocks of several sizes: what their last one leaves empty, and what a shared prefix loses."""
    generator = random.Random(3)
    lengths = [generator.randrange(200, 1800) for _ in range(4000)]
    prefixes = [generator.randrange(500, 1500) for _ in range(4000)]
    result = {"lengths": len(lengths), "mean": sum(lengths) / len(lengths)}
    print(f"{'block':>6} {'empty, tokens':>14} {'by formula':>11} {'share':>7} {'prefix lost':>12}")
    for size in (1, 16, 64, 128, 256, 512):
        empty = sum(-length % size for length in lengths)
        lost = sum(prefix % size for prefix in prefixes) / len(prefixes)
        share = empty / (empty + sum(lengths))
        print(
            f"{size:>6} {empty / len(lengths):>14.1f} {(size - 1) / 2:>11.1f} {share:>7.1%} {lost:>12.1f}"
        )
        result |= {f"empty_{size}": empty / len(lengths), f"share_{size}": share, f"lost_{size}": lost}
    held = sum(lengths)
    result["reserved"] = 1 - held / (8192 * len(lengths))
    return result


def prefix():
    """100 requests with the same 1,600 tokens of instructions and tools, in several forms."""
    result = {}
    print(f"{'form of the prompt':<16} {'tokens sent':>12} {'found':>9} {'hit rate':>9}")
    for form in SINGLE:
        pool = Pool(blocks=20_000)
        for prompt, extra in single(form):
            pool.serve(prompt, extra=extra)
        print(f"{form:<16} {pool.queried:>12,} {pool.hits:>9,} {pool.rate:>9.1%}")
        key = form.replace("-", "_")
        result |= {f"{key}": pool.rate, f"{key}_hits": pool.hits, f"{key}_sent": pool.queried}
    spread = [Pool(blocks=20_000) for _ in range(4)]
    generator = random.Random(9)
    for prompt, extra in single("steady"):
        generator.choice(spread).serve(prompt, extra=extra)
    again = Pool(blocks=20_000)
    again.serve(range(1600))
    result["again"] = again.serve(range(1600))
    result["spread"] = sum(p.hits for p in spread) / sum(p.queried for p in spread)
    return result


def turns():
    """Conversations of ten turns in a cache with room for all, in three forms."""
    result = {}
    print(f"{'history':<9} {'tokens sent':>12} {'found':>9} {'hit rate':>9}")
    for form in ("append", "rewrite", "trim"):
        pool = Pool(blocks=20_000)
        for user in range(10):
            for prompt, answer in talk(form, user):
                pool.serve(prompt, answer)
        print(f"{form:<9} {pool.queried:>12,} {pool.hits:>9,} {pool.rate:>9.1%}")
        result[form] = pool.rate
        result[f"{form}_computed"] = pool.queried - pool.hits
    spread = [Pool(blocks=20_000) for _ in range(4)]
    generator = random.Random(11)
    for user in range(10):
        for prompt, answer in talk("append", user):
            generator.choice(spread).serve(prompt, answer)
    result["apart"] = sum(p.hits for p in spread) / sum(p.queried for p in spread)
    return result


def full():
    """Ten conversations take turns. Each sends its whole history again, in smaller and smaller pools."""
    needed = max(math.ceil((len(p) + len(a) - 1) / 16) for p, a in talk("append", 0))
    shared = 1000 // 16
    working = shared + 10 * (needed - shared)
    result = {"blocks": working}
    print(f"{'room':>5} {'blocks':>7} {'found':>9} {'evicted':>8} {'hit rate':>9}")
    for percent in (100, 95, 90, 80, 60, 40):
        pool = Pool(blocks=math.ceil(working * percent / 100))
        users = [list(talk("append", user)) for user in range(10)]
        for turn in range(10):
            for user in users:
                pool.serve(*user[turn])
        print(
            f"{percent:>4}% {pool.blocks:>7,} {pool.hits:>9,} {pool.evicted:>8,} {pool.rate:>9.1%}"
        )
        result |= {f"rate_{percent}": pool.rate, f"evicted_{percent}": pool.evicted}
        result[f"computed_{percent}"] = pool.queried - pool.hits
    return result


def main():
    command = {f.__name__: f for f in (sizes, tokens, decode, waste, prefix, turns, full)}
    result = command[sys.argv[1]]()
    print(json.dumps({key: round(number, 9) for key, number in result.items()}))


main()
