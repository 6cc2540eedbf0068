"""Lazy tensors in PyTorch 2.13: what waits, and what is compiled, as JSON."""

import json

import torch
import torch._lazy
import torch._lazy.metrics
import torch._lazy.ts_backend


def step(x):
    return (x * 2 + 1).relu()


def main():
    torch._lazy.ts_backend.init()
    x = torch.ones(4).to("lazy")
    result = {}
    for name in ("first", "second", "third"):
        y = step(x)
        text = torch._C._lazy._get_tensors_text([y])
        result[f"{name}_waiting"] = text.count("aten::")
        torch._lazy.mark_step()
        result[f"{name}_compiled"] = torch._lazy.metrics.counter_value("UncachedCompile") or 0
        result[f"{name}_value"] = y.cpu()[0].item()
    print(json.dumps(result))


main()
