"""What happens if the result shares memory with an operand or has the wrong shape or type.

    a            a tensor of 3 rows and 3 columns
    wide(n)      a tensor of ones with 2 rows and n columns

The last line is JSON.
"""

import json
import sys
import warnings

import torch


def outcome(work):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result = work()
        except RuntimeError as error:
            return "error: " + str(error).split(". ")[0], None
    words = [str(w.message).split(" since")[0] for w in seen]
    return ("warning: " + words[0] if words else "no error"), result


def first_column_taken_off(n):
    """Wrong elements after a -= a[:, :1] on ones with n columns: all should be 0."""
    wide = torch.ones(2, n)
    wide -= wide[:, :1]
    return int(torch.count_nonzero(wide))


def main():
    if len(sys.argv) > 1:
        sys.exit("usage: overlap.py")
    torch.set_num_threads(1)

    def a():
        return torch.arange(9.0).view(3, 3)

    def rows(t):
        return t[1:].add_(t[:-1])

    def columns(t):
        return t[:, 1:].add_(t[:, :-1])

    def transposed(t):
        return t.add_(t.t())

    def same(t):
        return t.add_(t)

    cases = {
        "rows": ("a[1:] += a[:-1]", lambda: rows(a())),
        "columns": ("a[:, 1:] += a[:, :-1]", lambda: columns(a())),
        "transposed": ("a += a.t()", lambda: transposed(a())),
        "expanded": ("one.expand(3) += 1", lambda: torch.ones(1).expand(3).add_(1)),
        "same": ("a += a", lambda: same(a())),
        "grow": ("column += a", lambda: torch.ones(3, 1).add_(a())),
        "out_small": ("add(a, a, out=empty(2))", lambda: torch.add(a(), a(), out=torch.empty(2))),
        "out_empty": ("add(a, a, out=empty(0))", lambda: torch.add(a(), a(), out=torch.empty(0))),
        "out_long": ("add(a, a, out=int64)", lambda: torch.add(a(), a(), out=torch.empty(3, 3, dtype=torch.int64))),
    }  # fmt: skip
    counts = {}
    for name, (words, work) in cases.items():
        said, result = outcome(work)
        counts[f"{name}_error"] = int(said.startswith("error"))
        counts[f"{name}_warning"] = int(said.startswith("warning"))
        print(f"{words:24} {said}")
        if name == "columns":
            t = a()
            right = t[:, 1:] + t[:, :-1]
            counts["columns_wrong"] = int((result != right).sum())
            counts["columns_clone_wrong"] = int((t[:, 1:].add_(t[:, :-1].clone()) != right).sum())
    print("\nwide(n) -= wide(n)[:, :1], elements that are not 0")
    for n in (8, 15, 16, 17, 31, 32, 33):
        counts[f"wrong_{n}"] = first_column_taken_off(n)
        print(f"n = {n:2}: {counts[f'wrong_{n}']:2}")
    kept = torch.empty(3, 3).t()
    torch.add(a(), a(), out=kept)
    counts["out_keeps_strides"] = int(kept.stride() == (1, 3))
    print(json.dumps(counts))


main()
