"""Adds up the values that the names in a set stand for, under 64 seeds of the hash: how many
different results? Prints one JSON object.
"""

import json
import os
import subprocess
import sys

PROGRAM = """
import math
words = {f"sensor-{i}": (i * 2654435761 % 2**32) / 2**32 + 1 / (i + 1) for i in range(1000)}
names = set(words)
def add(order):
    total = 0.0
    for name in order:
        total += words[name]
    return total.hex()
print(add(names), add(sorted(names)), add(words), math.fsum(words[n] for n in names).hex())
"""
KINDS = ("set", "sorted", "dict", "fsum")


def main():
    results = {kind: set() for kind in KINDS}
    for seed in range(64):
        environment = dict(os.environ, PYTHONHASHSEED=str(seed))
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True, env=environment
        )
        for kind, result in zip(KINDS, done.stdout.split()):
            results[kind].add(result)
    print(json.dumps({kind: len(each) for kind, each in results.items()}))


main()
