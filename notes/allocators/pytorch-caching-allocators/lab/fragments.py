"""Half of a device of 1,024 MiB is free, and a request of 120 MiB fails or does not.

    python3 fragments.py cut 60     sixteen tensors of 60 MiB lie in one segment of 960
    python3 fragments.py apart 60   sixteen tensors of 60 MiB have a segment each

Every second tensor is freed before the request. Prints what is free, what became of the request, and
JSON.
"""

import json
import os
import sys
import tempfile
import textwrap

import torch
from device import numbers, tensor

FAILED = "failed with OOM on device"    # a warning of the allocator's: counted, since it shows the time


def main(how, size):
    if how == "cut":
        tensor(960)                     # a large batch, freed at once: its segment stays cached
    tensors = [tensor(size) for _ in range(960 // size)]
    del tensors[::2]
    before = numbers()
    print(f"reserved {before['reserved']}  allocated {before['allocated']}  idle {before['idle']}  "
          f"largest idle block {before['piece']}  left on the device {before['left']}")
    errors, log = os.dup(2), tempfile.TemporaryFile("w+")
    os.dup2(log.fileno(), 2)
    try:
        tensors.append(tensor(120))
        said = "request of 120: granted"
    except torch.OutOfMemoryError as error:
        said = str(error).partition("  See documentation")[0]
    os.dup2(errors, 2)
    log.seek(0)
    warnings = log.read().count(FAILED)
    print(textwrap.fill(said, 100, break_on_hyphens=False))
    after = numbers()
    print(f"reserved {after['reserved']}  retries {after['retries']}  warnings {warnings}  "
          f"given back to CUDA {after['frees'] - before['frees']} times")
    result = {f"before_{key}": value for key, value in before.items()} | after
    print(json.dumps(result | {"granted": int("granted" in said), "warnings": warnings}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
