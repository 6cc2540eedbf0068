"""The peak of a small model by the profiler's allocations and as ``Alive`` counts it, for each change of step.py."""

import contextlib
import json

import torch
from step import CASES, PARTS, most
from torch.profiler import ProfilerActivity, profile

SHAPE, BATCH, LENGTH = (8192, 256, 4, 4), 4, 256


def peak(found):
    return max(found[part] for part in PARTS)


def allocated(recorded):
    """The most bytes that were allocated at a time while the profiler looked on."""
    now = highest = 0
    for event in sorted(recorded.profiler.kineto_results.events(), key=lambda e: e.start_ns()):
        if event.name() == "[memory]":
            now += event.nbytes()
            highest = max(highest, now)
    return highest


def main():
    shares, bare = [], []
    for change in CASES.values():
        torch.manual_seed(0)
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
            alive = peak(most(SHAPE, BATCH, change, LENGTH, contextlib.nullcontext))
        shares.append(alive / allocated(recorded))
        bare.append(peak(most(SHAPE, BATCH, change, LENGTH)) / alive)
    print(json.dumps({"lowest": min(shares), "highest": max(shares), "bare": max(bare, key=lambda share: abs(share - 1))}))


main()
