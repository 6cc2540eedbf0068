"""The kernels of this lab. None of them names a thread, a vector width or a tensor instruction."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def add_assumed(x, y, out, n, BLOCK: tl.constexpr):
    tl.assume(n % 16 == 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def add_sixteens(x, y, out, sixteens, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < sixteens * 16
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def add_tail(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if (tl.program_id(0) + 1) * BLOCK <= n:
        tl.store(out + i, tl.load(x + i) + tl.load(y + i))
    else:
        inside = i < n
        tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def add_hinted_arguments(x, y, out, n, BLOCK: tl.constexpr):
    x = tl.multiple_of(x, 16)
    y = tl.multiple_of(y, 16)
    out = tl.multiple_of(out, 16)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def add_hinted_blocks(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    px = tl.multiple_of(x + i, 16)
    py = tl.multiple_of(y + i, 16)
    po = tl.multiple_of(out + i, 16)
    tl.store(po, tl.load(px, mask=inside) + tl.load(py, mask=inside), mask=inside)


@triton.jit
def scale_row(x, out, stride, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(out + row * BLOCK + i, 2 * tl.load(x + row * stride + i))


@triton.jit
def axpy(a, x, y, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, a * tl.load(x + i) + tl.load(y + i))


@triton.jit
def sum_row(x, out, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    tl.store(out + row, tl.sum(tl.load(x + row * stride + tl.arange(0, BLOCK)), 0))


@triton.jit
def matmul(  # noqa: PLR0913, PLR0917 - a kernel has no other way to be told sizes
    a, b, c, depth, a_row, b_row, c_row,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    pa = a + m[:, None] * a_row + k[None, :]
    pb = b + k[:, None] * b_row + n[None, :]
    sums = tl.zeros((M, N), tl.float32)
    for _ in range(0, depth, K):
        sums = tl.dot(tl.load(pa), tl.load(pb), sums, input_precision=PRECISION)
        pa += K
        pb += K * b_row
    tl.store(c + m[:, None] * c_row + n[None, :], sums)


@triton.jit
def total_with_a_race(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0)
    tl.store(out, tl.load(out) + part)  # two programs may read the same old value
