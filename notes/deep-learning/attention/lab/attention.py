"""Attention written out, attention by tiles, and what each of them allocates."""

import math

import torch
from torch.profiler import ProfilerActivity, profile


def plain(q, k, v):
    """softmax(q k^T / sqrt(d)) v, with all scores of a head in memory at once."""
    scores = q @ k.transpose(-2, -1)
    scores = scores / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


def tiled(q, k, v, *, side=128, causal=False, correct=True):
    """The same by square tiles of the scores, which are dropped once they are used.

    For each row it keeps the largest score so far and the sum of the exponentials. When the
    largest score rises, what was summed up before is scaled down. correct=False leaves that out.
    """
    n, d = q.shape[-2:]
    result = torch.empty_like(q)
    for i in range(0, n, side):
        part = q[..., i : i + side, :] / math.sqrt(d)
        top = torch.full((*part.shape[:-1], 1), -math.inf, dtype=q.dtype)
        total = torch.zeros_like(top)
        summed = torch.zeros_like(part)
        for j in range(0, i + side if causal else k.shape[-2], side):
            tile = part @ k[..., j : j + side, :].transpose(-2, -1)
            if causal and j + side > i + 1:
                row = torch.arange(i, i + part.shape[-2])[:, None]
                tile.masked_fill_(torch.arange(j, j + tile.shape[-1]) > row, -math.inf)
            new = torch.maximum(top, tile.amax(-1, keepdim=True))
            tile.sub_(new).exp_()
            if correct:
                factor = (top - new).exp_()
                total.mul_(factor)
                summed.mul_(factor)
            total.add_(tile.sum(-1, keepdim=True))
            summed.add_(tile @ v[..., j : j + side, :])
            top = new
        result[..., i : i + side, :] = summed / total
    return result


def inputs(heads, n, d, dtype=torch.float32):
    torch.manual_seed(1)
    return [torch.randn(1, heads, n, d, dtype=dtype) for _ in range(3)]


def allocated(call):
    """(largest allocation apart from the result, peak) in bytes, for one call on one thread."""
    torch.set_num_threads(1)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        result = call()
    events = p.profiler.kineto_results.events()
    changes = [event.nbytes() for event in events if event.name() == "[memory]"]
    now = peak = 0
    for change in changes:
        now += change
        peak = max(peak, now)
    result = result[0] if isinstance(result, tuple) else result
    changes.remove(result.untyped_storage().nbytes())
    return max(changes, default=0), peak


def operators(call):
    """The names of the attention operators that one call runs."""
    with profile(activities=[ProfilerActivity.CPU]) as p:
        call()
    return [event.key for event in p.key_averages() if "attention" in event.key]
