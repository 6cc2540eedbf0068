"""Links operations.cpp without libatomic and prints, as JSON, which functions of it were missing."""
import json
import re
import subprocess

COMMAND = ["g++", "-std=c++17", "-O2", "-pthread", "operations.cpp", "-o", "unlinked"]


def missing(*options):
    ran = subprocess.run([*COMMAND, *options], capture_output=True, text=True)
    return sorted(set(re.findall(r"undefined reference to `(\w+)'", ran.stderr)))


out = {"plain": missing(), "cx16": missing("-mcx16"), "linked": missing("-latomic")}
counts = {name: len(functions) for name, functions in out.items()}
loads = {f"{name}_16": int("__atomic_load_16" in functions) for name, functions in out.items()}
print(json.dumps({**counts, **loads}))
