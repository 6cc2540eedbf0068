"""Counts instructions in orders.c as the compiler wrote it: orders.py TARGET FILE.s

TARGET is x86 or arm. Prints JSON. For each function: all instructions but the return, those that lock a cache
line or order memory by themselves, and backward jumps with nothing in between (endless loops).
"""
import itertools
import json
import re
import sys

KINDS = {
    "x86": {
        "locked": r"\s+(lock|xchg\w*)\b",
        "fence": r"\s+mfence",
    },
    "arm": {
        "acquire": r"\s+ldar\b",
        "release": r"\s+stlr\b",
        "exclusive": r"\s+(ldxr|ldaxr|stxr|stlxr)\b",
        "lse": r"\s+ldadd(a|l|al)?\b",
        "fence": r"\s+dmb\b",
        "call": r"\s+(bl|b)\s+__aarch64_",
    },
}
JUMP = re.compile(r"\s+(?:jmp|b)\s+(\.L\w+)$")


def functions(path):
    name, body = None, []
    for line in open(path):
        line = re.sub(r"\s*(//|#\s).*", "", line).rstrip()  # comments
        label = re.match(r"(\w+):$", line)
        if label:
            name, body = label.group(1), []
        elif re.match(r"\s+\.size\s", line) and name:
            yield name, body
            name = None
        elif name and (re.match(r"\.L\w+:$", line) or re.match(r"\s+[a-z]", line)):
            body.append(line)


def count(body, kinds):
    code = [line for line in body if line.startswith(("\t", " "))]
    code = [line for line in code if not re.match(r"\s+(ret|retq|hint|endbr64)\b", line)]
    found = {kind: sum(bool(re.match(p, line)) for line in code) for kind, p in kinds.items()}
    found["all"] = len(code)
    found["endless"] = sum(
        bool(jump) and before == f"{jump.group(1)}:"
        for before, line in itertools.pairwise(body)
        for jump in [JUMP.match(line)]
    )
    return found


def main():
    kinds = KINDS[sys.argv[1]]
    out = {}
    for name, body in functions(sys.argv[2]):
        for kind, number in count(body, kinds).items():
            out[f"{name}_{kind}"] = number
    print(json.dumps(out))


main()
