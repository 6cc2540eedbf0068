"""What a thread that waits for answers loses beside threads that compute: a table, JSON on the last line."""

import json
import os
import resource
import socket
import statistics
import sys
import threading
import time

ROUNDS = 25


def echo(connection):
    """Another process answers after a millisecond, so that each receive really waits."""
    while data := connection.recv(1):
        time.sleep(0.001)
        connection.send(data)


def partner():
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        echo(theirs)
        os._exit(0)
    theirs.close()
    return ours


class Computing:
    """Threads that only run Python code, until the block ends."""

    def __init__(self, number, work):
        self.stop = False
        self.threads = [threading.Thread(target=self.run, args=(work,)) for _ in range(number)]

    def run(self, work):
        while not self.stop:
            work()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        time.sleep(0.05)

    def __exit__(self, *_):
        self.stop = True
        for thread in self.threads:
            thread.join()


def python():
    for _ in range(1000):
        pass


BIG = 7**340_000


def one_long_call():
    return BIG * BIG


def round_trips(connection, interval, number, work=python):
    """Milliseconds of each round trip."""
    sys.setswitchinterval(interval)
    taken = []
    with Computing(number, work):
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            connection.send(b"x")
            connection.recv(1)
            taken.append((time.perf_counter() - begin) * 1000)
    sys.setswitchinterval(0.005)
    return taken


def switches(number):
    """Voluntary context switches a second of a thread that computes, with so many of them."""
    ended = time.monotonic() + 1
    counts = []

    def compute():
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        while time.monotonic() < ended:
            python()
        counts.append(resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - before)

    threads = [threading.Thread(target=compute) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return min(counts)


def main():
    connection = partner()
    begin = time.perf_counter()
    one_long_call()
    found = {"long_call": (time.perf_counter() - begin) * 1000}
    cases = [
        ("alone", "alone", 0.005, 0, python),
        ("one_1", "1 thread computes, switch interval 1 ms", 0.001, 1, python),
        ("one_5", "1 thread computes, 5 ms", 0.005, 1, python),
        ("one_20", "1 thread computes, 20 ms", 0.020, 1, python),
        ("long_5", "1 thread multiplies large int, 5 ms", 0.005, 1, one_long_call),
    ]
    print(f"{'round trip to another process':<42} median, ms")
    for name, label, interval, number, work in cases:
        found[name] = round_trips(connection, interval, number, work)
        print(f"{label:<42} {statistics.median(found[name]):>10.2f}")
    found["switches_one"], found["switches_two"] = switches(1), switches(2)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
