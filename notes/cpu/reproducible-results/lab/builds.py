"""Compiles same.c in several ways: how many different results? Prints one JSON object.

Usage: builds.py [COMPILER]
"""

import json
import subprocess
import sys

V3 = "-march=x86-64-v3"
GROUPS = {
    "levels": ["-O0", "-O1", "-O2", "-O3"],
    "machines": ["-O3", f"-O3 {V3}"],
    "uncontracted": ["-O3 -ffp-contract=off", f"-O3 {V3} -ffp-contract=off"],
    "iso": ["-O3 -std=c11", f"-O3 {V3} -std=c11"],
    "fast": ["-O3", "-O3 -ffast-math", f"-O3 {V3} -ffast-math"],
}


def results(compiler, flags):
    program = "./same_" + flags.replace(" ", "_").replace("=", "_")
    subprocess.run([compiler, *flags.split(), "-o", program, "same.c"], check=True)
    words = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(words[::2], words[1::2]))


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "gcc"
    found = {}
    for group, builds in GROUPS.items():
        each = [results(compiler, flags) for flags in builds]
        for name in ("sum", "lanes", "dets"):
            found[f"{group}_{name}"] = len({result[name] for result in each})
        found[f"{group}_nonzero"] = int(each[-1]["nonzero"])
    print(json.dumps(found, indent=1))


main()
