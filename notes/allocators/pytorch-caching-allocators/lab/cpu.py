"""What the CPU allocator of PyTorch does with large and with small tensors.

    python3 cpu.py trace MIB TIMES    creates and deletes a tensor, between marks for strace
    python3 cpu.py                    JSON: faults, resident bytes, alignment
"""

import ctypes
import json
import os
import resource
import sys

import torch

LARGE, SMALL, NUMBER, WARM = 64 << 20, 16 << 10, 4096, 3
THP_DISABLE = 41                          # <linux/prctl.h>: faults are to be of small pages


def mark(text):
    try:
        os.write(-1, text)
    except OSError:
        pass


def faults(work):
    """Minor faults of one call, once warm."""
    for _ in range(WARM):
        work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def trim():
    ctypes.CDLL(None).malloc_trim(0)


def large():
    return torch.ones(LARGE // 4)


def main(arguments):
    torch.set_num_threads(1)
    if len(arguments) == 3 and arguments[0] == "trace":
        size, times = int(float(arguments[1]) * 2**20), int(arguments[2])
        torch.empty(size, dtype=torch.uint8)
        mark(b"perfnotes:begin")
        for _ in range(times):
            torch.empty(size, dtype=torch.uint8)
        mark(b"perfnotes:end")
        return
    if arguments:
        sys.exit("usage: cpu.py [trace MIB TIMES]")
    ctypes.CDLL(None).prctl(THP_DISABLE, 1, 0, 0, 0)
    kept = large()
    result = {"page": resource.getpagesize(), "bytes": LARGE,
              "faults_new": faults(large),
              "faults_kept": faults(lambda: torch.ones(LARGE // 4, out=kept))}
    del kept
    before = resident()
    tensor = large()
    result["large_alive"] = resident() - before
    result["misaligned_large"] = int(tensor.data_ptr() % 64 != 0)
    del tensor
    result["large_gone"] = resident() - before
    trim()                                # what the start of Python left behind is no part of this
    before = resident()
    many = [torch.ones(SMALL // 4) for _ in range(NUMBER)]
    result["small_alive"] = resident() - before
    result["misaligned"] = sum(t.data_ptr() % 64 != 0 for t in many)
    result["not_128"] = sum(t.data_ptr() % 128 != 0 for t in many)
    del many[:-1]
    result["small_gone"] = resident() - before
    trim()
    result["trimmed"] = resident() - before
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
