"""The same work one after the other, in two threads and in two processes: JSON.

`cpu` is CPU time divided by elapsed time: how many CPUs the process used on average.
"""

import concurrent.futures
import hashlib
import json
import multiprocessing
import time

ROUNDS = 5
DATA = bytes(20_000_000)


def python(_=None):
    total = 0
    for number in range(1_000_000):
        total += number
    return total


def hashing(_=None):
    return hashlib.sha512(DATA).digest()


def timed(run):
    """Elapsed time, and CPU time of this process divided by it."""
    begin, used = time.perf_counter(), time.process_time()
    run()
    elapsed = time.perf_counter() - begin
    return elapsed, (time.process_time() - used) / elapsed


def main():
    multiprocessing.set_start_method("fork")
    found = {}
    with (
        concurrent.futures.ProcessPoolExecutor(2) as processes,
        concurrent.futures.ThreadPoolExecutor(2) as threads,
    ):
        for pool in (processes, threads):
            list(pool.map(python, range(2)))
        for _ in range(ROUNDS):
            for name, work in (("python", python), ("hashing", hashing)):
                runs = {
                    "serial": lambda work=work: (work(), work()),
                    "threads": lambda work=work: list(threads.map(work, range(2))),
                    "processes": lambda work=work: list(processes.map(work, range(2))),
                }
                for way, run in runs.items():
                    elapsed, cpu = timed(run)
                    found.setdefault(f"{name}_{way}", []).append(elapsed)
                    found.setdefault(f"{name}_{way}_cpu", []).append(cpu)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
