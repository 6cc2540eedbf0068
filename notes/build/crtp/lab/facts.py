"""Compiles the small files in many ways and counts: bytes, lines, errors and warnings. Prints JSON."""

import json
import subprocess

GXX = ["g++", "-std=c++20"]
CASES = ("wrong", "incomplete", "forgotten", "forgotten_name", "slice", "container", "traits")
found = {}


def compile_(*options):
    return subprocess.run([*GXX, *options], capture_output=True, text=True, check=False)


# How code, constants, tables and relocations grow with the number of classes, in a linked program.
def size(*options):
    done = compile_(*options, "-o", "types", "types.cpp", "types_main.cpp")
    assert done.returncode == 0, done.stderr
    printed = subprocess.run(["size", "types"], capture_output=True, text=True, check=True)
    return sum(map(int, printed.stdout.splitlines()[1].split()[:3]))


for level in ("O2", "O3"):
    for way in ("VIRTUAL", "TEMPLATE"):
        for length in ("SHORT", "LONG"):
            for types in (2, 4, 8, 16, 32):
                options = (f"-{level}", f"-D{way}", f"-D{length}", f"-DTYPES={types}")
                name = f"{way}_{length}_{level}_{types}".lower()
                found[name] = size(*options, "-fPIE", "-pie")
                if level == "O2" and length == "SHORT" and types in (2, 32):
                    found[f"fixed_{name}"] = size(*options, "-fno-pie", "-no-pie")

# What a header adds to each file that includes it: lines that are neither empty nor markers.
for header in ("variant", "concepts"):
    done = subprocess.run([*GXX, "-E", "-x", "c++", "-"], input=f"#include <{header}>\n",
                          capture_output=True, text=True, check=True)
    found[f"lines_{header}"] = sum(
        1 for line in done.stdout.splitlines() if line.strip() and not line.startswith("#"))

# What the compiler says of the mistakes, without and with the guard.
for guard in ("bare", "guarded"):
    for number, case in enumerate(CASES, 1):
        options = ["-DGUARD"] if guard == "guarded" else []
        done = compile_("-O2", "-Wall", "-Wextra", *options, f"-DCASE={number}",
                        "-c", "-o", "pitfalls.o", "pitfalls.cpp")
        found[f"{guard}_{case}_errors"] = done.stderr.count(" error: ")
        found[f"{guard}_{case}_warnings"] = done.stderr.count(" warning: ")

print(json.dumps(found))
