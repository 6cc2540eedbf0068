"""Run kernels in Triton's interpreter, on the CPU, and compare them with PyTorch.

    TRITON_INTERPRET=1 python3 interpret.py    one line for each kernel, then the counts as JSON
"""

import json

import torch
from kernels import add, matmul, total_with_a_race

torch.manual_seed(1)
n = 3000
x, y, out = torch.rand(n), torch.rand(n), torch.full((n,), -1.0)
add[(3,)](x, y, out, n, BLOCK=1024)
wrong = int((out != x + y).sum())
print(f"add, {n} elements in 3 programs: {wrong} differ from x + y")

out.fill_(-1.0)
add[(2,)](x, y, out, n, BLOCK=1024)
missing = int((out != x + y).sum())
print(f"the same with 2 programs: {missing} differ")

total = torch.zeros(1)
whole = torch.ones(n)
total_with_a_race[(3,)](whole, total, n, BLOCK=1024)
lost = n - int(total)
print(f"a total with a race between programs: {lost} of {n} lost")

a, b, c = torch.randn(64, 512), torch.randn(512, 64), torch.empty(64, 64)
matmul[(1, 1)](a, b, c, 512, 512, 64, 64, M=64, N=64, K=32, PRECISION="tf32")
exact = a.double() @ b.double()
error = float((c - exact).abs().max())


def as_tf32(values):
    """Cut float32 to the ten bits of mantissa that TF32 has."""
    return (values.view(torch.int32) & ~0x1FFF).view(torch.float32).double()


cut = float((as_tf32(a) @ as_tf32(b) - exact).abs().max())
print(f"tl.dot with tf32: largest error {error:.1e}; inputs cut to TF32: {cut:.1e}")
print(json.dumps({"wrong": wrong, "missing": missing, "lost": lost, "error": error, "cut": cut}))
