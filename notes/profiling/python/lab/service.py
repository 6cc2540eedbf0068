"""A program to look at from outside: it computes, waits, starts a child, or hangs."""

import faulthandler
import signal
import subprocess
import sys
import threading
import time


def small(x: int) -> int:
    return x + 1


def many() -> None:
    total = 0
    for i in range(100_000):
        total += small(i)


def few() -> None:
    total = 0
    for i in range(100_000):
        total += i * i % 7


def computes(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        many()
        few()


def waits(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.3)
        for _ in range(8):
            few()


def child(seconds: float) -> None:
    subprocess.run([sys.executable, __file__, "computes", str(seconds)], check=True)


def first(one: threading.Lock, other: threading.Lock) -> None:
    with one:
        time.sleep(0.2)
        with other:
            pass


def hangs(seconds: float) -> None:
    """Two threads that wait for each other's lock."""
    faulthandler.register(signal.SIGUSR1)
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)
    a, b = threading.Lock(), threading.Lock()
    threads = [threading.Thread(target=first, args=locks) for locks in ((a, b), (b, a))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


WORK = {"computes": computes, "waits": waits, "child": child, "hangs": hangs}
if __name__ == "__main__":
    WORK[sys.argv[1]](float(sys.argv[2]))
