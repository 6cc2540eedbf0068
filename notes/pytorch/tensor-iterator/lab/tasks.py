"""Into how many tasks a loop over n elements is divided, as a table; the last line is JSON.

An integer division meets a zero in its first element: the task that holds it stops there with an
exception, the others finish. The elements that nobody wrote are the size of the first task.

The second table counts the threads that the process has after its first operator of that size. The
last two lines count the different results of a sum with one, two, three and four threads.
"""

import json
import os
import subprocess
import sys

import torch

THREADS = 4
SIZES = (32767, 32768, 32769, 65536, 65537, 131072, 1048576)
FIRST = (("mul", 32768), ("mul", 32769), ("sigmoid", 32768), ("sigmoid", 32769), ("exp", 1000), ("sum", 32768), ("sum", 32769), ("sum_rows", 32766), ("sum_rows", 32768))  # fmt: skip


def first_task(n):
    six = torch.full((n,), 6, dtype=torch.int32)
    divisor = torch.full((n,), 3, dtype=torch.int32)
    divisor[0] = 0
    out = torch.full((n,), -1, dtype=torch.int32)
    try:
        torch.floor_divide(six, divisor, out=out)
    except RuntimeError as error:
        if "ZeroDivisionError" not in str(error):
            raise
    else:
        sys.exit("the division by zero went unnoticed")
    return int((out == -1).sum())


def started(name, n):
    """Threads of the process that one operator adds; run in a process of its own."""
    y, out = torch.empty(n), torch.empty(n)
    rows = torch.empty(2, n // 2)
    work = {
        "mul": lambda: torch.mul(y, y, out=out),
        "sigmoid": lambda: torch.sigmoid(y, out=out),
        "exp": lambda: torch.exp(y, out=out),
        "sum": y.sum,
        "sum_rows": lambda: rows.sum(1),
    }[name]
    before = len(os.listdir("/proc/self/task"))
    work()
    return len(os.listdir("/proc/self/task")) - before


def different_sums():
    """Different results of the same sum with one to four threads: of all, and of each row."""
    torch.manual_seed(0)
    x = torch.rand(1000, 1001)
    everything, rows = set(), set()
    for threads in range(1, THREADS + 1):
        torch.set_num_threads(threads)
        everything.add(x.sum().item())
        rows.add(tuple(x.sum(1).tolist()))
    return len(everything), len(rows)


def main(arguments):
    torch.set_num_threads(THREADS)
    if len(arguments) == 2:
        print(started(arguments[0], int(arguments[1])))
        return
    if arguments:
        sys.exit("usage: tasks.py [OPERATOR SIZE]")
    counts = {}
    print(f"{'elements':>9} {'first task':>11} {'tasks':>6}")
    for n in SIZES:
        size = first_task(n)
        counts[f"tasks_{n}"] = -(-n // size)
        counts[f"first_{n}"] = size
        print(f"{n:9,} {size:11,} {-(-n // size):6}")
    print(f"\n{'operator':9} {'elements':>9} {'new threads':>12}")
    for name, n in FIRST:
        command = [sys.executable, __file__, name, str(n)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        counts[f"started_{name}_{n}"] = int(done.stdout)
        print(f"{name:9} {n:9,} {int(done.stdout):12}")
    counts["sum_results"], counts["row_sum_results"] = different_sums()
    print(f"\nx.sum() with 1 to 4 threads: {counts['sum_results']} different results")
    print(f"x.sum(1) with 1 to 4 threads: {counts['row_sum_results']} different result")
    print(json.dumps(counts))


main(sys.argv[1:])
