"""Operations of a layer by length, counted without computing, and bytes of the KV cache."""

import json

import torch
from attention import plain
from torch.utils.flop_counter import FlopCounterMode

H, HEADS = 1024, 16


def operations(call):
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def parts(n):
    """Operations of one sequence in (projections, scores and their use, feed-forward part)."""
    with torch.device("meta"):
        x = torch.empty(n, H)
        square = [torch.nn.Linear(H, H, bias=False) for _ in range(4)]
        wide, back = torch.nn.Linear(H, 4 * H, bias=False), torch.nn.Linear(4 * H, H, bias=False)
        q = torch.empty(1, HEADS, n, H // HEADS)
        return (
            operations(lambda: [linear(x) for linear in square]),
            operations(lambda: plain(q, q, q)),
            operations(lambda: back(wide(x))),
        )


def main():
    numbers = {}
    print(f"{'GFLOP, hidden size 1024':26}{'projections':>12}{'attention':>12}{'feed-forward':>14}")
    for n in (512, 1024, 2048, 4096, 6144, 12288):
        projections, attention, forward = parts(n)
        numbers[f"attention_{n}"] = attention
        numbers[f"projections_{n}"], numbers[f"forward_{n}"] = projections, forward
        row = (f"{part / 1e9:.1f}" for part in (projections, attention, forward))
        print("{:>12} tokens       {:>12}{:>12}{:>14}".format(f"{n:,}", *row))
    # A layer of Llama 3.1 8B: h = 4096, 32 heads of 128, 8 of them with keys and values.
    h, wide, kv = 4096, 14336, 1024
    numbers["llama_parameters"] = 2 * h * h + 2 * h * kv + 3 * h * wide
    numbers["llama_length"] = numbers["llama_parameters"] / (2 * h)
    print(f"Llama 3.1 8B, parameters in the products of a layer: {numbers['llama_parameters']:,}")
    print(f"attention takes as many operations from {numbers['llama_length']:,.0f} tokens on")
    for heads in (32, 8, 1):
        numbers[f"cache_{heads}"] = 2 * 32 * heads * 128 * 2
        print(f"KV cache with {heads:2} KV heads: {numbers[f'cache_{heads}'] / 1024:4.0f} KiB per token")
    n, heads = 32768, 32
    numbers["scores_long"] = n * n * heads * 2
    print(f"scores of {heads} heads, {n:,} tokens, 16 bits: {numbers['scores_long'] / 2**30:.0f} GiB")
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
