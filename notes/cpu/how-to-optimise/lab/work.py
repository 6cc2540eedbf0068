"""The work of axpy.py for a while, to be looked at with a profiler."""

import ctypes
import sys
import time

import numpy as np

library = ctypes.CDLL("./libaxpy.so")
pointer = ctypes.POINTER(ctypes.c_double)
x, y = np.ones(1 << 23), np.ones(1 << 23)
out = np.zeros(1 << 23)


def fresh() -> np.ndarray:
    return 1.5 * x + y


def fused() -> None:
    a, b, c = (v.ctypes.data_as(pointer) for v in (x, y, out))
    library.fused(ctypes.c_size_t(1 << 23), ctypes.c_double(1.5), a, b, c)


def loop() -> float:
    total = 0.0
    for i in range(400_000):
        total += 1.5 * i
    return total


end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    fresh()
    fused()
    loop()
