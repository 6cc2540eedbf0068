"""Threads that a NumPy product uses before and after torch.set_num_threads(1), as JSON."""

import json
import time

import numpy
import tasks
import torch

a = numpy.ones((1500, 1500), dtype=numpy.float32)
b = torch.ones(1500, 1500)


def used(work):
    """Threads that ran at least a tenth as long as the longest one did."""
    time.sleep(0.5)  # OpenBLAS's threads wait in a busy loop for a while after their last product
    before = {task: tasks.spent(task) for task in tasks.names()}
    for _ in range(5):
        work()
    ran = [(tasks.spent(task) or 0) - before.get(task, 0) for task in tasks.names()]
    return sum(10 * each > max(ran) for each in ran)


def main():
    b @ b
    found = {"numpy_before": used(lambda: a @ a), "torch_before": used(lambda: b @ b)}
    torch.set_num_threads(1)
    found |= {"numpy_after": used(lambda: a @ a), "torch_after": used(lambda: b @ b)}
    print(json.dumps(found))


main()
