"""Runs ./first in pairs, with an empty cache and then with the cache that the first run left.

Prints a table of medians, and as JSON every sample: the steps in microseconds of CPU time, the files of
PoCL's cache, and what a mean of the first n calls says beside the median of all calls.
"""

import json
import os
import statistics
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

PAIRS, CALLS = 7, 1000
STEPS = ("platform", "device", "context", "buffer", "build")


def run(cache: str, calls: int = CALLS) -> dict[str, list[float]]:
    """One process; the times of each step, in order."""
    # The loader takes PoCL itself instead of what /etc/OpenCL/vendors names: a lab cannot see /etc.
    environment = os.environ | {"POCL_CACHE_DIR": cache, "OCL_ICD_VENDORS": "libpocl.so.2"}
    printed = subprocess.run(
        ["./first", str(calls)], env=environment, check=True, capture_output=True, text=True
    ).stdout
    times: dict[str, list[float]] = {}
    for line in printed.splitlines():
        name, microseconds = line.split()
        times.setdefault(name, []).append(float(microseconds))
    return times


def compiled(cache: str) -> Counter[str]:
    """How many pieces of machine code the cache holds of each kernel, after which PoCL names the files."""
    return Counter(file.stem for file in Path(cache).rglob("*.so"))


out: dict[str, list[float]] = {}


def note(name: str, value: float) -> None:
    out.setdefault(name, []).append(round(value, 4))


for _ in range(PAIRS):
    with tempfile.TemporaryDirectory() as cache:
        cold = run(cache)
        left = compiled(cache)
        note("compiled_cold", left.total())
        for kernel in ("scale", "shift", "unused"):
            note(f"compiled_{kernel}", left[kernel])
        warm = run(cache)
        note("compiled_warm", compiled(cache).total() - left.total())
    for kind, times in (("cold", cold), ("warm", warm)):
        for name in STEPS:
            note(f"{name}_{kind}", times[name][0])
        for name in ("scale-64", "scale-128", "shift-64", "again-64"):
            short = name.replace("-", "_")
            note(f"{short}_first_{kind}", times[name][0])
            note(f"{short}_usual_{kind}", statistics.median(times[name][1:]))
    series = cold["scale-64"]
    usual = statistics.median(series)
    for n in (10, 100, 1000):
        note(f"mean_{n}", statistics.mean(series[:n]) / usual)
        note(f"mean_{n}_without", statistics.mean(series[1:n]) / usual)
        note(f"median_{n}", statistics.median(series[:n]) / usual)

print(f"{'µs of CPU time, medians of ' + str(PAIRS):38}{'empty cache':>12}{'full cache':>12}")
for name in STEPS:
    a, b = (statistics.median(out[f"{name}_{kind}"]) for kind in ("cold", "warm"))
    print(f"{name:38}{a:12.0f}{b:12.0f}")
for short, words in (
    ("scale_64", "scale, groups of 64"),
    ("scale_128", "scale, groups of 128"),
    ("shift_64", "shift, groups of 64"),
    ("again_64", "shift, groups of 64, once more"),
):
    for which in ("first", "usual"):
        a, b = (statistics.median(out[f"{short}_{which}_{kind}"]) for kind in ("cold", "warm"))
        print(f"{words + ', ' + which:38}{a:12.0f}{b:12.0f}")
print(json.dumps(out))
