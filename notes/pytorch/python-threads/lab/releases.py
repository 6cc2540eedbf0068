"""Which calls let another thread run Python code: a table, and JSON on the last line.

The switch interval is set so high that no thread is ever asked for the lock. A second thread waits for
it. If that thread runs while this one repeats a call, the call itself has given the lock up.
"""

import ctypes
import hashlib
import json
import os
import pickle
import re
import socket
import sys
import threading
import time
import zlib

import numpy
import torch

LONGEST = 0.5  # seconds for which a call is repeated
LIBRARY, LIBRARY_WITH_LOCK = ctypes.CDLL(None), ctypes.PyDLL(None)


def released(call):
    """1 if another thread ran while this one repeated the call, else 0."""
    sys.setswitchinterval(1000)
    gate = threading.Lock()
    gate.acquire()
    ran = []

    def other():
        gate.acquire()
        ran.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    gate.release()
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and not ran:
        call()
    found = len(ran)
    thread.join()
    sys.setswitchinterval(0.005)
    return found


def python():
    for _ in range(10_000):
        pass


def calls():
    """Name in JSON, label, call."""
    zeros = os.open("/dev/zero", os.O_RDONLY)
    one, two = socket.socketpair()

    def through_socket():
        one.send(b"x")
        two.recv(1)

    lock = threading.Lock()
    lock.acquire()
    numbers = list(range(100_000))
    shuffled = numbers[::7] + numbers[::3]
    big = 7**100_000
    small_array, array = numpy.zeros(500), numpy.zeros(501)
    objects = numpy.array(numbers, dtype=object)
    sums = numpy.empty_like(objects)
    matrix = numpy.ones((300, 300))
    tensor, weight = torch.ones(1), torch.ones(300, 300, requires_grad=True)
    long_tensor = torch.zeros(100_000)
    yield "python", "a loop of Python", python
    yield "sleep", "time.sleep(0.001)", lambda: time.sleep(0.001)
    yield "lock", "lock.acquire(timeout=0.001), lock taken", lambda: lock.acquire(timeout=0.001)
    yield "read", "os.read(fd, 1)", lambda: os.read(zeros, 1)
    yield "socket", "send and recv of a socket", through_socket
    yield "compress", "zlib.compress, 100 bytes", lambda: zlib.compress(bytes(100))
    yield "crc_5120", "zlib.crc32, 5,120 bytes", lambda data=bytes(5120): zlib.crc32(data)
    yield "crc_5121", "zlib.crc32, 5,121 bytes", lambda data=bytes(5121): zlib.crc32(data)
    yield "hash_2047", "hashlib.sha256, 2,047 bytes", lambda data=bytes(2047): hashlib.sha256(data)
    yield "hash_2048", "hashlib.sha256, 2,048 bytes", lambda data=bytes(2048): hashlib.sha256(data)
    yield "json", "json.dumps, 100,000 numbers", lambda: json.dumps(numbers)
    yield "pickle", "pickle.dumps, 100,000 numbers", lambda: pickle.dumps(numbers)
    yield "re", "re.search, backtracking", lambda: re.search("(a|aa)+b", "a" * 22)
    yield "sort", "sorted, 47,620 numbers", lambda: sorted(shuffled)
    yield "int", "product of two large int", lambda: big * big
    yield "numpy_500", "NumPy, a + a, 500 elements", lambda: small_array + small_array
    yield "numpy_501", "NumPy, a + a, 501 elements", lambda: array + array
    yield "numpy_objects", "NumPy, add(a, a, out), dtype=object", lambda: numpy.add(objects, objects, sums)
    yield "numpy_made", "NumPy, empty(1000, dtype=object)", lambda: numpy.empty(1000, dtype=object)
    yield "numpy_list", "numpy.array of a list of 100,000", lambda: numpy.array(numbers)
    yield "numpy_product", "NumPy, a @ a, 300 x 300", lambda: matrix @ matrix
    yield "torch_one", "PyTorch, t + t, 1 element", lambda: tensor + tensor
    yield "torch_list", "PyTorch, t.tolist(), 100,000 elements", long_tensor.tolist
    loss = (weight @ weight).sum()
    yield "backward", "PyTorch, backward()", lambda: loss.backward(retain_graph=True)
    yield "cdll", "usleep through ctypes.CDLL", lambda: LIBRARY.usleep(1000)
    yield "pydll", "usleep through ctypes.PyDLL", lambda: LIBRARY_WITH_LOCK.usleep(1000)


def main():
    found = {}
    print("another thread ran during")
    for name, label, call in calls():
        call()
        found[name] = released(call)
        print(f"{'yes' if found[name] else 'no':<4} {label}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
