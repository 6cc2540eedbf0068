"""A transformer block, and what the lab's programs share."""

import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


def alive(body):
    """Runs body(mark) and returns the bytes of tensors alive at each mark and at the peak, from its begin on.

    The numbers are sums over the profiler's [memory] events, so what was allocated before does not count.
    """
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        body(lambda name: record_function(f"mark {name}").__enter__().__exit__(None, None, None))
    now = peak = 0
    seen = {}
    for event in sorted(recorded.profiler.kineto_results.events(), key=lambda e: e.start_ns()):
        if event.name() == "[memory]":
            now += event.nbytes()
            peak = max(peak, now)
        elif event.name().startswith("mark "):
            seen[event.name().removeprefix("mark ")] = now
    if not peak:
        raise SystemExit("the profiler recorded no allocations")
    return {**seen, "peak": peak, "end": now}
