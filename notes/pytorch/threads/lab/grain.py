"""The smallest tensor for which an operator starts a second thread: a table, and JSON on the last line.

Each trial runs in a forked child of a process that has run no parallel operator, so that its pool is empty.
"""

import json

import tasks
import torch

SIDE = 64
CASES = {
    "add": ("x + x", lambda n: (torch.empty(n),), lambda x: x + x),
    "exp": ("x.exp()", lambda n: (torch.empty(n),), lambda x: x.exp()),
    "sum": ("x.sum()", lambda n: (torch.empty(n),), lambda x: x.sum()),
    "softmax": ("x.view(-1, 64).softmax(-1)", lambda n: (torch.empty(n // SIDE, SIDE),), lambda x: x.softmax(-1)),
    "index": ("x.view(-1, 64)[i]", lambda n: (torch.empty(n // SIDE, SIDE), torch.arange(n // SIDE)), lambda x, i: x[i]),
    "product": ("x.view(-1, 64) @ w", lambda n: (torch.empty(n // SIDE, SIDE), torch.empty(SIDE, SIDE)), lambda x, w: x @ w),
}


def starts(make, operator, n):
    def work():
        arguments = make(n)
        before = tasks.names()
        operator(*arguments)
        return len(tasks.names() - before)

    return tasks.in_child(work)


def smallest(make, operator, low=SIDE, high=1 << 21):
    """By halving; a size of `low` starts no thread, one of `high` does."""
    if starts(make, operator, low) or not starts(make, operator, high):
        raise SystemExit("no limit between the two sizes")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if starts(make, operator, middle) else (middle, high)
    return high


def main():
    found = {}
    print(f"{'operator':<28} elements from which a second thread is started")
    for name, (text, make, operator) in CASES.items():
        found[name] = smallest(make, operator)
        print(f"{text:<28} {found[name]:>9,}")
    found["add_at_grain"] = starts(*CASES["add"][1:], 32_768)
    found["add_above_grain"] = starts(*CASES["add"][1:], 32_769)
    print(json.dumps(found))


main()
