"""What each way to reshape a tensor gives: sizes, strides, and whether the elements were copied.

    python3 views.py    a table, then the counts as JSON
"""

import io
import json

import torch
from torch.utils._python_dispatch import TorchDispatchMode

COPIES = ("aten.clone", "aten._to_copy", "aten.copy_", "aten._reshape_copy")


class Copies(TorchDispatchMode):
    """Counts the operators below autograd that copy elements."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += str(func).startswith(COPIES)
        return func(*args, **(kwargs or {}))


x = torch.arange(24.0).reshape(4, 6)
CASES = {
    "x": lambda: x,
    "x.view(2, 12)": lambda: x.view(2, 12),
    "x.reshape(2, 12)": lambda: x.reshape(2, 12),
    "x.t()": x.t,
    "x.t().reshape(-1)": lambda: x.t().reshape(-1),
    "x.t().contiguous()": lambda: x.t().contiguous(),
    "x.contiguous()": x.contiguous,
    "x[:, ::2]": lambda: x[:, ::2],
    "x[:, ::2].view(2, 2, 3)": lambda: x[:, ::2].view(2, 2, 3),
    "x[:, ::2].reshape(-1)": lambda: x[:, ::2].reshape(-1),
    "x[0].expand(4, 6)": lambda: x[0].expand(4, 6),
    "x.permute(1, 0).flatten()": lambda: x.permute(1, 0).flatten(),
    "x.unflatten(1, (2, 3))": lambda: x.unflatten(1, (2, 3)),
    "x[[0, 2]]": lambda: x[[0, 2]],
}


def saved(tensor):
    """Bytes that torch.save writes for a tensor."""
    file = io.BytesIO()
    torch.save(tensor, file)
    return file.tell()


def main():
    counts = {}
    print(f"{'expression':<27} {'size':<10} {'stride':<10} copies  same storage")
    for text, make in CASES.items():
        with Copies() as copies:
            made = make()
        shares = made.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        size, stride = tuple(made.size()), tuple(made.stride())
        same = "yes" if shares else "no"
        print(f"{text:<27} {size!s:<10} {stride!s:<10} {copies.count:>6}  {same}")
        counts[f"copies_{len(counts)}"] = copies.count
    try:
        x.t().view(-1)
    except RuntimeError as error:
        print(error)
    large = torch.zeros(1024, 1024)
    row = large[0]
    result = {
        "view_copies": counts["copies_1"],
        "reshape_copies": counts["copies_2"],
        "transposed_reshape_copies": counts["copies_4"],
        "contiguous_copies": counts["copies_6"],
        "row": row.nelement() * row.element_size(),
        "kept": row.untyped_storage().nbytes(),
        "saved_row": saved(row),
        "saved_clone": saved(row.clone()),
    }
    print(json.dumps(result))


main()
