"""What oneDNN runs for an operator in float32 and in bfloat16: a table, and JSON on the last line."""

import ctypes
import json
import os
import tempfile

import operators
import torch

CALLS = 5


def lines(work):
    """The lines that oneDNN writes about what it executes."""
    flush = ctypes.CDLL(None).fflush
    with tempfile.TemporaryFile("w+") as file:
        flush(None)
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
                for _ in range(CALLS):
                    work()
            flush(None)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return [line.split(",") for line in file if ",primitive,exec," in line]


def main():
    found = {}
    print(f"{'operator':<24} {'type':<9} primitives  reorders  implementation")
    for name, make in operators.CASES.items():
        for kind, dtype in operators.TYPES.items():
            work = make(dtype)
            work()
            executed = lines(work)
            reorders = [line for line in executed if line[5] == "reorder"]
            others = sorted({line[6] for line in executed if line[5] != "reorder"})
            found[f"{name}_{kind}"] = len(executed) / CALLS
            found[f"{name}_{kind}_reorders"] = len(reorders) / CALLS
            print(f"{operators.TEXTS[name]:<24} {kind:<9} {found[f'{name}_{kind}']:>10.0f} {found[f'{name}_{kind}_reorders']:>9.0f}  {', '.join(others) or '-'}")
    print(json.dumps(found))


main()
