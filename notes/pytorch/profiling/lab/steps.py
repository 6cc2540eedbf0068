"""Which steps a schedule records: callbacks on (1) or off (0) in each step, and what each trace holds.

    python3 steps.py    a table, then counts as JSON
"""

import json
import warnings

import torch
from step import CPU
from torch.autograd import profiler as state
from torch.profiler import profile, schedule

x = torch.randn(8)
CASES = {
    "once": (10, {"wait": 1, "warmup": 1, "active": 2, "repeat": 1}, {}),
    "twice": (10, {"wait": 1, "warmup": 1, "active": 2, "repeat": 2}, {}),
    "accumulated": (10, {"wait": 1, "warmup": 1, "active": 2, "repeat": 2}, {"acc_events": True}),
    "endless": (10, {"wait": 1, "warmup": 1, "active": 2}, {}),
    "short": (2, {"wait": 1, "warmup": 1, "active": 2, "repeat": 1}, {}),
    "skipped": (10, {"skip_first": 5, "wait": 1, "warmup": 1, "active": 2, "repeat": 1}, {}),
}


def calls(found):
    return sum(event.name == "aten::mul" for event in found.events())


def run(steps, plan, options, announce=True):
    traces, on = [], ""
    with profile(activities=CPU, schedule=schedule(**plan), on_trace_ready=lambda p: traces.append(calls(p)),
                 **options) as found:  # fmt: skip
        for _ in range(steps):
            on += str(int(state._is_profiler_enabled))
            torch.mul(x, x)
            if announce:
                found.step()
    after = 0 if found.profiler is None else calls(found)
    return on, traces, after


def main():
    warnings.simplefilter("ignore")
    result = {}
    print(f"{'case':<12} {'callbacks':<10}  {'calls in each trace':<20} after the loop")
    for name, (steps, plan, options) in CASES.items():
        on, traces, after = run(steps, plan, options)
        print(f"{name:<12} {on:<10}  {traces!s:<20} {after}")
        result |= {f"{name}_on": on.count("1"), f"{name}_traces": len(traces), f"{name}_after": after}
    on, traces, after = run(10, CASES["once"][1], {}, announce=False)
    print(f"{'no step()':<12} {on:<10}  {traces!s:<20} {after}")
    result |= {"silent_on": on.count("1"), "silent_traces": len(traces)}
    print(json.dumps(result))


main()
