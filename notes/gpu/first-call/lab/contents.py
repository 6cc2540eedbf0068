"""What is in an object file of nvcc, and what six GPUs would have to do with it at the first launch.

    python3 contents.py show      the table
    python3 contents.py           the same counts as JSON

A cubin for sm_XY runs on devices of the same major version X whose minor version is Y or more. PTX for
compute_XY can be compiled for every device from X.Y on. No GPU is asked: the rule is applied to the
names that cuobjdump lists.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

GPUS = (75, 80, 86, 90, 100, 120)          # compute capability, times ten
BUILDS = {
    "default": "",
    "one": "-arch=sm_90",
    "code_only": "-gencode arch=compute_80,code=sm_80",
    "ptx_only": "-arch=compute_80",
    "all_major": "-arch=all-major",
}


def versions(kind: str, file: str) -> list[int]:
    """The architectures of the cubins (-lelf) or PTX texts (-lptx) in a file."""
    listed = subprocess.run(["cuobjdump", kind, file], capture_output=True, text=True).stdout
    return sorted(int(v) for v in re.findall(r"\.sm_(\d+)\.", listed))


def outcome(gpu: int, cubins: list[int], ptx: list[int]) -> str:
    """What this GPU does with these contents: load, compile, or fail."""
    if any(c // 10 == gpu // 10 and c <= gpu for c in cubins):
        return "load"
    return "compile" if any(p <= gpu for p in ptx) else "fail"


counts: dict[str, int] = {}
rows = []
for name, options in BUILDS.items():
    file = f"{name}.o"
    subprocess.run(["nvcc", *options.split(), "-c", "-o", file, "tiny.cu"], check=True)
    cubins, ptx = versions("-lelf", file), versions("-lptx", file)
    outcomes = [outcome(gpu, cubins, ptx) for gpu in GPUS]
    for what in ("load", "compile", "fail"):
        counts[f"{name}_{what}"] = outcomes.count(what)
    counts[f"{name}_cubins"], counts[f"{name}_ptx"] = len(cubins), len(ptx)
    counts[f"{name}_bytes"] = Path(file).stat().st_size
    shown = options.split(",")[-1] or "(none)"      # of -gencode arch=...,code=... the last part
    rows.append((shown, len(cubins), len(ptx), *outcomes))

if sys.argv[1:] == ["show"]:
    print(f"{'nvcc':17}{'cubins':>6}{'PTX':>4}" + "".join(f"{g / 10:>8}" for g in GPUS))
    for options, cubins, ptx, *outcomes in rows:
        print(f"{options:17}{cubins:6}{ptx:4}" + "".join(f"{o:>8}" for o in outcomes))
else:
    print(json.dumps(counts))
