"""A tensor over its storage: which cells it visits, in which order, and whether view(-1) works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import prod

from perfnotes.explorables._drawing import Attributes, Element, at, label, path
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_SHAPES = ((4, 6), (2, 12), (2, 3, 4))
_CELLS, _MOST, _COPIES = 24, 36, 3
_LEFT, _PITCH = 12, 14
_TOP, _HIGH = 86, 18
_FIRST, _LOW, _STEP = 116, 122, 8

Strided = tuple[list[int], list[int], int]
"""The size, the stride and the offset of a tensor."""


def tensor(n: Numbers) -> Strided:
    """The tensor that the controls make of the 24 numbers."""
    size = list(_SHAPES[int(n["shape"])])
    stride = [prod(size[i + 1 :]) for i in range(len(size))]
    begin, step, then = _begin(n), int(n["step"]), int(n["then"])
    offset = begin * stride[0]
    size[0] -= begin
    size[-1] = -(-size[-1] // step)
    stride[-1] *= step
    if then == 1:
        size[:2], stride[:2] = size[1::-1], stride[1::-1]
    elif then in (2, 3):
        dimension = 0 if then == 2 else -1
        del size[dimension], stride[dimension]
    elif then == 4:
        size[0], stride[0] = _COPIES, 0
    return size, stride, offset


def expression(n: Numbers) -> str:
    """The expression that makes this tensor in PyTorch, with ``x`` as the 24 numbers."""
    size = _SHAPES[int(n["shape"])]
    begin, step = _begin(n), int(n["step"])
    parts = [f"{begin}:" if begin else ":"]
    if step > 1:
        parts += [":"] * (len(size) - 2) + [f"::{step}"]
    cut = f"[{', '.join(parts)}]" if begin or step > 1 else ""
    rest = ", -1" * (len(size) - 1)
    then = ("", ".transpose(0, 1)", ".select(0, 0)", ".select(-1, 0)", f"[0].expand(3{rest})")
    return f"x.view{_tuple(size)}{cut}{then[int(n['then'])]}"


def visits(size: Sequence[int], stride: Sequence[int], offset: int) -> list[int]:
    """The cells of the elements, in the order of the elements."""
    places = product(*(range(each) for each in size))
    return [
        offset + sum(i * step for i, step in zip(place, stride, strict=True)) for place in places
    ]


def is_contiguous(size: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether each stride is the product of the later sizes; one of size 1 may have any stride."""
    expected = 1
    for each, step in zip(reversed(size), reversed(stride), strict=True):
        if each != 1 and step != expected:
            return False
        expected *= each
    return True


def flat_stride(size: Sequence[int], stride: Sequence[int]) -> int | None:
    """The stride of ``view(-1)``, or None if that raises an error.

    Two dimensions become one if the stride of the first is the stride times the size of the second.
    """
    kept = [(each, step) for each, step in zip(size, stride, strict=True) if each != 1]
    for (_, outer), (each, step) in pairwise(kept):
        if outer != each * step:
            return None
    return kept[-1][1] if kept else stride[-1]


def compute(n: Numbers) -> dict[str, float]:
    """``case``: 0 if contiguous, else 3 if cells repeat, else 1 if view(-1) works, 2 if not."""
    size, stride, offset = tensor(n)
    order = visits(size, stride, offset)
    flat = flat_stride(size, stride)
    cells = len(set(order))
    element = min(int(n["element"]), len(order) - 1)
    view = 2 if flat is None else 1
    return {
        "count": len(order),
        "cells": cells,
        "now": element,
        "cell": order[element],
        "flat": flat or 0,
        "case": 0 if is_contiguous(size, stride) else 3 if cells < len(order) else view,
    }


def _begin(n: Numbers) -> int:
    """The first row that the slice takes: the chosen one, or the last if there are fewer."""
    return min(int(n["begin"]), _SHAPES[int(n["shape"])][0] - 1)


def _tuple(values: Sequence[int]) -> str:
    return f"({', '.join(map(str, values))}{',' if len(values) == 1 else ''})"


def _index(size: Sequence[int], element: int) -> list[int]:
    return [element // prod(size[i + 1 :]) % each for i, each in enumerate(size)]


def _x(cell: float) -> float:
    return _LEFT + _PITCH * (cell + 0.5)


def draw(n: Numbers) -> Iterator[Attributes]:
    """The tensor's properties in PyTorch, the cells, and a dot for each element, downwards."""
    size, stride, offset = tensor(n)
    order, now = visits(size, stride, offset), int(n["now"])
    flat = flat_stride(size, stride)
    index = _index(size, now)
    terms = [f"{i} × {step}" for i, step in zip(index, stride, strict=True)]
    yield {"text": expression(n)}
    yield {"text": f"size {_tuple(size)}"}
    yield {"text": f"stride {_tuple(stride)}"}
    yield {"text": f"offset {offset}"}
    yield {"text": f"is_contiguous() {is_contiguous(size, stride)}"}
    yield {"text": f"view(-1) {'RuntimeError' if flat is None else f'stride ({flat},)'}"}
    yield {"text": f"{index}: {' + '.join([str(offset), *terms])} = {order[now]}"}
    for cell in range(_CELLS):
        kind = "hot" if cell == order[now] else "first" if cell in order else "cell"
        yield {"class": f"pn-x-{kind}"}
    down = min(_STEP, _LOW / max(len(order) - 1, 1))
    yield {"d": path((_x(cell), _FIRST + down * i) for i, cell in enumerate(order))}
    for i in range(_MOST):
        shown = i < len(order)
        yield {
            "class": "pn-x-dot-2" if shown else "pn-x-none",
            "cx": at(_x(order[i])) if shown else 0,
            "cy": at(_FIRST + down * i) if shown else 0,
        }
    x, y = at(_x(order[now])), at(_FIRST + down * now)
    yield {"x1": x, "x2": x, "y2": y}
    yield {"cx": x, "cy": y}


def frame(lang: str) -> str:
    """The names of both parts, and the numbers of some cells."""
    words = {
        "en": ("the storage, 24 cells", "below, the elements from first to last"),
        "zh": ("存储，24 格", "下面从上到下是第一个到最后一个元素"),
    }[lang]
    parts = [label(_LEFT, 66, words[0]), label(348, 66, words[1], "end")]
    for cell in (0, 6, 12, 18, 23):
        parts.append(label(_x(cell), _TOP - 5, str(cell), "middle"))
    return "".join(parts)


def _place(x: float, y: float, kind: str = "") -> Element:
    return "text", {"x": x, "y": y, **({"class": kind} if kind else {})}


EXPLORABLE = Explorable(
    title=Bilingual("A tensor over its storage", "张量怎样走过它的存储"),
    lead=Bilingual(
        "x is torch.arange(24). Each of these operations changes only size, stride and offset; "
        "the storage of 24 cells stays as it is.",
        "x 是 torch.arange(24)。这些操作只改变大小（size）、步长（stride）与偏移（offset），"
        "24 格的存储不变。",
    ),
    how=Bilingual(
        "An element lies at the offset plus each index times its stride. A tensor is contiguous "
        "if that visits the cells one after the other. The view joins two dimensions if the "
        "stride of the first is the stride times the size of the second; dimensions of size 1 do "
        "not count. Sizes, strides, offsets, is_contiguous() and view(-1) were compared with "
        "PyTorch 2.13 for every position of the controls.",
        "一个元素的位置是偏移加上各下标乘以步长。依次走过相邻的格子，张量就是连续的。"
        "前一维的步长等于后一维的步长乘以大小时，view 才能合并这两维；大小为 1 的维不算。"
        "各控件的每一种取值，大小、步长、偏移、is_contiguous() 与 view(-1) "
        "都与 PyTorch 2.13 比对过。",
    ),
    formulas=(
        "cell = offset + sum(i * s for i, s in zip(index, stride))",
        "one = all(stride[d] == size[d + 1] * stride[d + 1] for d in range(len(size) - 1))",
    ),
    constants=(),
    controls=(
        Control(
            "shape",
            Bilingual("Shape", "形状"),
            0,
            len(_SHAPES) - 1,
            0,
            choices=tuple(Bilingual(f"view{s}", f"view{s}") for s in _SHAPES),
        ),
        Control("begin", Bilingual("First row", "从哪一行开始"), 0, 3, 0),
        Control("step", Bilingual("Step in the last dimension", "最后一维的间隔"), 1, 3, 1),
        Control(
            "then",
            Bilingual("Then", "然后"),
            0,
            4,
            1,
            choices=(
                Bilingual("nothing", "不变"),
                Bilingual("transpose(0, 1)", "transpose(0, 1)"),
                Bilingual("select(0, 0), the first row", "select(0, 0)，第一行"),
                Bilingual("select(-1, 0), the first column", "select(-1, 0)，第一列"),
                Bilingual("the first row, expand to 3", "第一行，expand 成 3 份"),
            ),
        ),
        Control("element", Bilingual("Element", "第几个元素"), 0, _MOST - 1, 5),
    ),
    says=(
        Bilingual(
            "Elements: {count}, in as many cells. Each is in the cell behind the one before: the "
            "tensor is contiguous, view(-1) works, and contiguous() copies nothing.",
            "元素 {count} 个，格子一样多。每个元素都在前一个的下一格：张量连续，view(-1) 可行，"
            "contiguous() 什么也不复制。",
        ),
        Bilingual(
            "Elements: {count}, in as many cells. The tensor is not contiguous, but each element "
            "is {flat} cells behind the one before: view(-1) works, with that stride.",
            "元素 {count} 个，格子一样多。张量不连续，但相邻两个元素的距离都是 {flat} 格："
            "view(-1) 可行，步长就是这个数。",
        ),
        Bilingual(
            "Elements: {count}, in as many cells. The way from element to element differs, so no "
            "stride fits: view(-1) raises an error, and reshape(-1) copies.",
            "元素 {count} 个，格子一样多。从一个元素到下一个的距离不一，没有合适的步长："
            "view(-1) 报错，reshape(-1) 要复制。",
        ),
        Bilingual(
            "Elements: {count}, in {cells} cells: a stride of 0 visits them again. view(-1) raises "
            "an error, and reshape(-1) copies {count} elements.",
            "元素 {count} 个，只占 {cells} 格：步长为 0，就重复走过这些格子。view(-1) 报错，"
            "reshape(-1) 要复制 {count} 个元素。",
        ),
    ),
    height=268,
    frame=lambda _, lang: frame(lang),
    moving=(
        _place(_LEFT, 14, "pn-x-strong"),
        _place(_LEFT, 32),
        _place(128, 32),
        _place(272, 32),
        _place(_LEFT, 48),
        _place(172, 48),
        _place(_LEFT, 262, "pn-x-strong"),
        *(
            ("rect", {"x": _LEFT + _PITCH * i + 0.5, "y": _TOP, "width": 13, "height": _HIGH})
            for i in range(_CELLS)
        ),
        ("path", {"class": "pn-x-axis"}),
        *(("circle", {"r": 2.5}) for _ in range(_MOST)),
        ("line", {"class": "pn-x-drop", "y1": _TOP + _HIGH}),
        ("circle", {"class": "pn-x-dot", "r": 4}),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
