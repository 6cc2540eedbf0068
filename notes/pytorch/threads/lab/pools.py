"""Threads that PyTorch starts and ends, step by step: a table, and JSON on the last line."""

import json
import threading

import tasks
import torch

x = torch.ones(30_000).repeat(1)  # filled without the pool: below the grain


def scripted_fork():
    @torch.jit.script
    def call(x):
        return torch.jit.wait(torch.jit.fork(torch.relu, x))

    call(torch.ones(2))


def backward():
    w = torch.ones(40_000, requires_grad=True)
    (w * w).sum().backward()


def python_threads(count, elements):
    """Several Python threads at once; each runs one operator and then waits."""
    leave, arrived = threading.Event(), threading.Barrier(count + 1)

    def work():
        torch.ones(elements)
        arrived.wait()
        leave.wait()

    started = [threading.Thread(target=work) for _ in range(count)]

    def start():
        for thread in started:
            thread.start()
        arrived.wait()

    def stop():
        leave.set()
        for thread in started:
            thread.join()

    return start, stop


def main():
    torch.set_num_interop_threads(3)
    start_small, stop_small = python_threads(4, 100)
    start, stop = python_threads(4, 40_000)
    steps = [
        ("small", "operator on 30,000 elements", lambda: x + x),
        ("first", "operator on 40,000 elements", lambda: torch.ones(40_000)),
        ("product", "matrix product, 512 x 512", lambda: torch.ones(512, 512) @ torch.ones(512, 512)),
        ("backward", "forward and backward on the CPU", backward),
        ("set_four", "torch.set_num_threads(4)", lambda: torch.set_num_threads(4)),
        ("four", "operator on 40,000 elements", lambda: torch.ones(40_000)),
        ("set_one", "torch.set_num_threads(1)", lambda: torch.set_num_threads(1)),
        ("one", "operator on 40,000 elements", lambda: torch.ones(40_000)),
        ("set_two", "torch.set_num_threads(2)", lambda: torch.set_num_threads(2)),
        ("two", "operator on 40,000 elements", lambda: torch.ones(40_000)),
        ("interop", "torch.jit.fork in a script", scripted_fork),
        ("python_small", "four Python threads, 100 elements each", start_small),
        ("joined_small", "the four have ended", stop_small),
        ("python", "four Python threads, 40,000 each", start),
        ("joined", "the four have ended", stop),
    ]
    counts = {}
    print(f"{'step':<38} started  ended")
    for name, text, work in steps:
        started, ended = tasks.created_and_ended(work)
        counts[name], counts[name + "_ended"] = started, ended
        print(f"{text:<38} {started:>7} {ended:>6}")
    print(json.dumps(counts))


main()
