"""Runs libm.c with and without FMA, as glibc is told by GLIBC_TUNABLES: in how many arguments do the
results differ, and by how much? Prints one JSON object.
"""

import json
import os
import struct
import subprocess

NAMES = ("sin", "cos", "exp", "log", "pow", "atan", "sqrt")


def results(tunables=None):
    environment = dict(os.environ)
    if tunables:
        environment["GLIBC_TUNABLES"] = tunables
    return subprocess.run(["./libm"], check=True, capture_output=True, env=environment).stdout


def main():
    usual, again, without = results(), results(), results("glibc.cpu.hwcaps=-FMA,-AVX2")
    count = len(usual) // 8 // len(NAMES)
    found, most = {}, 0
    ours, others = (struct.unpack(f"={len(usual) // 8}q", each) for each in (usual, without))
    for f, name in enumerate(NAMES):
        pairs = zip(ours[f * count : (f + 1) * count], others[f * count : (f + 1) * count])
        steps = [abs(a - b) for a, b in pairs]
        found[name] = sum(step > 0 for step in steps)
        most = max(most, *steps)
    found |= {"all": sum(found.values()), "again": int(usual != again), "most": most, "arguments": count}
    print(json.dumps(found))


main()
