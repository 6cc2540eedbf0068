"""The tiles of a matrix product on a GPU: in global memory, in shared memory and in registers."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, Element, at, box, label
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_STEPS, _WARP, _MOST_THREADS, _FLOAT, _KIB = 64, 32, 1024, 4, 1024
_VECTOR = 4
_SIDE, _GLOBAL, _RIGHT, _UPPER, _LOWER = 52, 6, 64, 30, 88
_SHARED, _PER_ELEMENT, _DEEP = 168, 72 / 128, 1
_REGISTERS, _CELL, _SQUARE = 266, 9, 8
_TOP, _GAP = 68, 4
_THIN = 1.5


def slice_now(n: Numbers) -> tuple[int, int]:
    """The number of the slice that the block works on, and the k inside it."""
    slices = n["size"] / n["bk"]
    return int(n["step"] * slices // _STEPS), int(n["step"] % n["bk"])


def compute(n: Numbers) -> dict[str, float]:
    """What the tiles take of each memory.

    ``shared`` is in KiB, ``intensity`` in FLOP per byte of global memory. ``loads`` and ``values``
    are the numbers that an FMA takes from global and from shared memory, ``lds`` the loads of
    shared memory for them. ``turn`` is how many numbers a thread brings into shared memory for one
    slice. ``case`` is 1 for more threads than a block can have, 2 for fewer than a warp has.
    """
    rows, columns, deep, down, across = n["bm"], n["bn"], n["bk"], n["tm"], n["tn"]
    threads = rows * columns / (down * across)
    multiplications = rows * columns * deep
    loads = deep * (rows + columns) / multiplications
    joined = down / _VECTOR + across / min(across, _VECTOR)
    return {
        "threads": threads,
        "shared": _FLOAT * deep * (rows + columns) / _KIB,
        "loads": loads,
        "intensity": 2 / (_FLOAT * loads),
        "values": (down + across) / (down * across),
        "lds": joined / (down * across),
        "sums": down * across,
        "turn": deep * (rows + columns) / threads,
        "case": 1 if threads > _MOST_THREADS else 2 if threads < _WARP else 0,
    }


def _rect(kind: str, x: float, y: float, width: float, height: float) -> Attributes:
    """A rectangle, enlarged to the smallest width and height that can be seen."""
    size = {"width": at(max(width, _THIN)), "height": at(max(height, _THIN))}
    return {"class": f"pn-x-{kind}", "x": at(x), "y": at(y), **size}


def draw(n: Numbers) -> Iterator[Attributes]:
    """The block's strips and tiles, its slices in shared memory, and one thread's registers."""
    size, bm, bn, bk, tm, tn = (int(n[id]) for id in ("size", "bm", "bn", "bk", "tm", "tn"))
    now, k = slice_now(n)
    by = _SIDE / size
    row, column = size // bm // 3 * bm * by, size // bn * 2 // 3 * bn * by
    along = now * bk * by
    yield _rect("owns", _GLOBAL, _LOWER + row, _SIDE, bm * by)
    yield _rect("owns", _RIGHT + column, _UPPER, bn * by, _SIDE)
    yield _rect("waits", _RIGHT + column, _LOWER + row, bn * by, bm * by)
    yield _rect("first", _GLOBAL + along, _LOWER + row, bk * by, bm * by)
    yield _rect("first", _RIGHT + column, _UPPER + along, bn * by, bk * by)
    deep, high, wide = bk * _DEEP, bm * _PER_ELEMENT, bn * _PER_ELEMENT
    left, upper = _SHARED - _GAP - deep, _TOP - _GAP - deep
    yield _rect("counter", left, _TOP, deep, high)
    yield _rect("counter", _SHARED, upper, wide, deep)
    yield _rect("mark", _SHARED, _TOP, wide, high)
    y = _TOP + bm // tm // 3 * tm * _PER_ELEMENT
    x = _SHARED + bn // tn // 2 * tn * _PER_ELEMENT
    yield _rect("third", left + k * _DEEP, y, _DEEP, tm * _PER_ELEMENT)
    yield _rect("third", x, upper + k * _DEEP, tn * _PER_ELEMENT, _DEEP)
    yield _rect("third", x, y, tn * _PER_ELEMENT, tm * _PER_ELEMENT)
    for i in range(_SQUARE):
        yield {"class": "pn-x-third" if i < tm else "pn-x-none"}
    for j in range(_SQUARE):
        yield {"class": "pn-x-third" if j < tn else "pn-x-none"}
    for i in range(_SQUARE):
        for j in range(_SQUARE):
            yield {"class": "pn-x-good" if i < tm and j < tn else "pn-x-none"}
    yield {"text": f"{size} × {size}"}
    yield {"text": f"{bm} × {bk}, {bk} × {bn}"}
    yield {"text": f"{tm} + {tn} + {tm * tn}"}
    yield {"text": f"k = {now * bk} + {k}"}


def frame(lang: str) -> str:
    """The three memories, and the outlines of the matrices."""
    words = {
        "en": ("global memory", "shared memory", "registers"),
        "zh": ("全局内存", "共享内存", "寄存器"),
    }[lang]
    places = ((_GLOBAL, _LOWER, "A"), (_RIGHT, _UPPER, "B"), (_RIGHT, _LOWER, "C"))
    parts = [label(x, 14, word) for x, word in zip((_GLOBAL, 132, 253), words, strict=True)]
    parts += [box("pn-x-cell", x, y, _SIDE, _SIDE) for x, y, _ in places]
    parts += [label(_GLOBAL, _LOWER - 4, "A"), label(_RIGHT - 4, _UPPER + 12, "B", "end")]
    parts.append(label(_RIGHT + _SIDE + 3, _LOWER + _SIDE, "C"))
    return "".join(parts)


def _register(x: float, y: float) -> Element:
    return "rect", {"x": x, "y": y, "width": _CELL - 1.5, "height": _CELL - 1.5}


EXPLORABLE = Explorable(
    title=Bilingual("Tiles on their way to the registers", "分块怎样一路走到寄存器"),
    lead=Bilingual(
        "One block of threads computes a tile of C. Slice by slice it brings its strips of A and B "
        "into shared memory; from there each thread reads a column of TM and a row of TN values.",
        "一个线程块计算 C 的一个分块。它把 A 与 B 的长条一片一片搬进共享内存；"
        "每个线程再从那里读 TM 个一列、TN 个一行的值。",
    ),
    how=Bilingual(
        "In shared memory, what one thread takes of the slices is filled; the dashed square is the "
        "tile of C, which is not there. Below stand the sizes of the matrices, of both slices, and "
        "of a thread's two vectors and its sums. A load of shared memory takes up to four values "
        "that lie side by side, along k in A and along the columns in B, as in the "
        "code that the lab compiled for three of these kernels. Stores, caches, "
        "bank conflicts and registers for addresses are left out.",
        "共享内存里填满的是一个线程要用的部分；虚线方框是 C 的分块，"
        "它不在那里。下方是矩阵的大小、两个切片的大小，以及一个线程的两个向量与它的和。"
        "一次读共享内存最多取四个相邻的值，A 沿 k，B 沿列，与实验为其中三个核函数编译出的代码一样。"
        "写入、缓存、存储体冲突以及存放地址的寄存器都没有算进去。",
    ),
    formulas=(
        "threads = BM * BN / (TM * TN)",
        "shared = 4 * BK * (BM + BN) / 1024  # KiB",
        "loads = 1 / BM + 1 / BN  # of global memory, per FMA",
        "intensity = 2 / (4 * loads)  # FLOP per byte",
        "values = (TM + TN) / (TM * TN)  # of shared memory, per FMA",
        "lds = (TM / 4 + TN / min(TN, 4)) / (TM * TN)",
    ),
    constants=(),
    controls=(
        Control("step", Bilingual("Step", "步"), 0, _STEPS - 1, 21),
        Control("size", Bilingual("M = N = K", "M = N = K"), 8, 12, 9, doubling=True),
        Control("bm", Bilingual("BM, rows of the tile", "BM，分块的行数"), 5, 7, 7, doubling=True),
        Control(
            "bn", Bilingual("BN, columns of the tile", "BN，分块的列数"), 5, 7, 7, doubling=True
        ),
        Control("bk", Bilingual("BK, depth of a slice", "BK，切片的深度"), 3, 5, 3, doubling=True),
        Control("tm", Bilingual("TM, rows of a thread", "TM，线程的行数"), 0, 3, 3, doubling=True),
        Control(
            "tn", Bilingual("TN, columns of a thread", "TN，线程的列数"), 0, 3, 3, doubling=True
        ),
    ),
    says=(
        Bilingual(
            "{threads} threads, {shared} KiB of shared memory. An FMA takes {loads} values from "
            "global memory ({intensity} FLOP/B) and {values} from shared memory, in {lds} loads. "
            "Registers for sums, in each thread: {sums}.",
            "{threads} 个线程，{shared} KiB 共享内存。每次 FMA 从全局内存取 {loads} 个值"
            "（{intensity} FLOP/B），从共享内存取 {values} 个，合 {lds} 次读。"
            "每个线程有 {sums} 个寄存器存放和。",
        ),
        Bilingual(
            "{threads} threads are too many: a block can have 1,024. Let each thread compute more, "
            "or take a smaller tile.",
            "{threads} 个线程太多：一个线程块最多 1,024 个。让每个线程多算一些，或用更小的分块。",
        ),
        Bilingual(
            "{threads} threads are less than a warp of 32. Per FMA: {loads} values from global "
            "memory ({intensity} FLOP/B), {values} from shared memory, in {lds} loads. "
            "Registers for sums, in each thread: {sums}.",
            "{threads} 个线程还不到一个线程束（32 个）。每次 FMA：从全局内存取 {loads} 个值"
            "（{intensity} FLOP/B），从共享内存取 {values} 个，合 {lds} 次读。"
            "每个线程有 {sums} 个寄存器存放和。",
        ),
    ),
    height=182,
    frame=lambda _, lang: frame(lang),
    moving=(
        *(("rect", {}) for _ in range(11)),
        *(_register(_REGISTERS - _GAP - _CELL, _TOP + _CELL * i) for i in range(_SQUARE)),
        *(_register(_REGISTERS + _CELL * j, _TOP - _GAP - _CELL) for j in range(_SQUARE)),
        *(
            _register(_REGISTERS + _CELL * j, _TOP + _CELL * i)
            for i in range(_SQUARE)
            for j in range(_SQUARE)
        ),
        ("text", {"x": _GLOBAL, "y": 160}),
        ("text", {"x": 132, "y": 160}),
        ("text", {"x": _REGISTERS - _GAP - _CELL, "y": 160}),
        ("text", {"x": 132, "y": 176}),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
