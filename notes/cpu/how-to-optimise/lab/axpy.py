"""a * x + y in five ways: CPU time and page faults of each, interleaved."""

import ctypes
import json
import resource
import sys
import time
from collections.abc import Callable

import numpy as np

N, ROUNDS = int(sys.argv[1]), int(sys.argv[2])
SLOW = 1 << 18  # elements of the plain loop, which is timed on fewer
A = 1.5
library = ctypes.CDLL("./libaxpy.so")
pointer = ctypes.POINTER(ctypes.c_double)


def at(array: np.ndarray) -> "ctypes._Pointer[ctypes.c_double]":
    return array.ctypes.data_as(pointer)


rng = np.random.default_rng(1)
x, y = rng.random(N), rng.random(N)
out, temporary = np.zeros(N), np.zeros(N)
some_x, some_y = x[:SLOW].tolist(), y[:SLOW].tolist()


def loop() -> object:
    return [A * u + v for u, v in zip(some_x, some_y, strict=True)]


def fresh() -> object:
    return A * x + y


def reused() -> object:
    np.multiply(x, A, out=temporary)
    return np.add(temporary, y, out=temporary)


def fused() -> object:
    library.fused(ctypes.c_size_t(N), ctypes.c_double(A), at(x), at(y), at(out))
    return out


def copy() -> object:
    return library.copy(ctypes.c_size_t(N), at(x), at(out))


def touch() -> object:
    new = np.empty(N)
    new[:: 4096 // new.itemsize] = 0  # one store in each page of 4 KiB, and nothing else
    return new


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


WAYS: dict[str, Callable[[], object]] = {
    "copy": copy,
    "again": copy,
    "touch": touch,
    "loop": loop,
    "fresh": fresh,
    "reused": reused,
    "fused": fused,
}
assert np.allclose(fused(), fresh())
assert np.allclose(reused(), fresh())
took: dict[str, list[float]] = {name: [] for name in WAYS}
faulted: dict[str, list[int]] = {f"{name}_faults": [] for name in WAYS}
for turn in range(ROUNDS + 1):  # the first round is not counted
    for name in sorted(WAYS, reverse=turn % 2 == 1):
        before, start = faults(), time.thread_time()
        WAYS[name]()
        elapsed, after = time.thread_time() - start, faults()
        if turn:
            took[name].append(elapsed / (SLOW if name == "loop" else N))
            faulted[f"{name}_faults"].append(after - before)
print(json.dumps(took | faulted))
