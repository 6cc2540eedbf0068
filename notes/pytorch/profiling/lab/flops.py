"""FLOPs that with_flops=True reports for an operator, beside those that the arithmetic needs.

    python3 flops.py    a table, then the counts as JSON

One multiplication and one addition count as two. Expected are forward passes unless the text says otherwise.
"""

import json
import os

import torch
import torch.nn.functional as F
from step import recorded
from torch.nn.attention import SDPBackend, sdpa_kernel

a = torch.randn(64, 64, requires_grad=True)
row = a[:1]
batch = torch.randn(4, 64, 64)
image, kernel = torch.randn(2, 3, 8, 8, requires_grad=True), torch.randn(4, 3, 3, 3, requires_grad=True)
signal, taps = torch.randn(2, 3, 64), torch.randn(4, 3, 3)
q = torch.randn(1, 2, 16, 8)
N, MM, CONV = a.numel(), 2 * 64**3, 2 * 2 * 4 * 6 * 6 * 3 * 3 * 3
ATTENTION = 2 * 2 * 2 * 16 * 16 * 8


def math_attention():
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(q, q, q)


CASES = {
    "mm": ("a @ a", lambda: a @ a, MM),
    "mm_both": ("a @ a, forward and backward", lambda: (a @ a).sum().backward(), 3 * MM),
    "bmm": ("batch @ batch", lambda: batch @ batch, 4 * MM),
    "baddbmm": ("torch.baddbmm", lambda: torch.baddbmm(batch, batch, batch), 4 * MM),
    "linear": ("F.linear(batch, a, a[0])", lambda: F.linear(batch, a, a[0]), 4 * MM),
    "mv": ("a @ a[0]", lambda: a @ a[0], 2 * N),
    "conv2d": ("F.conv2d", lambda: F.conv2d(image, kernel), CONV),
    "conv2d_both": ("F.conv2d, forward and backward", lambda: F.conv2d(image, kernel).sum().backward(), 3 * CONV),
    "conv2d_same": ("F.conv2d, padding='same'", lambda: F.conv2d(image, kernel, padding="same"), CONV * 64 // 36),
    "conv1d": ("F.conv1d", lambda: F.conv1d(signal, taps), 2 * 2 * 4 * 62 * 3 * 3),
    "attention": ("F.scaled_dot_product_attention", lambda: F.scaled_dot_product_attention(q, q, q), ATTENTION),
    "attention_math": ("the same, SDPBackend.MATH", math_attention, ATTENTION),
    "add": ("a + a", lambda: a + a, N),
    "add_row": ("a[:1] + a", lambda: row + a, N),
    "sub": ("a - a", lambda: a - a, N),
    "add_": ("a.detach().add_(a)", lambda: a.detach().add_(a.detach()), N),
    "sum": ("a.sum()", a.sum, N - 1),
}  # fmt: skip


def main():
    torch.set_num_threads(1)
    result = {}
    print(f"{'expression':<32} {'reported':>9} {'arithmetic':>10}  by")
    for name, (text, body, needed) in CASES.items():
        found = {e.key: e.flops for e in recorded(body, with_flops=True).key_averages() if e.flops}
        reported = sum(found.values())
        print(f"{text:<32} {reported:>9,} {needed:>10,}  {', '.join(sorted(found)) or '-'}")
        result |= {name: reported, f"{name}_needed": needed}
    print(json.dumps(result))


os.environ.setdefault("OMP_NUM_THREADS", "1")
main()
