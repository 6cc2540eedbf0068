"""A linear layer under the roofline of a machine, with a batch to drag.

The model is from [@williams2009roofline].
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, at, label, line, log_place, path
from perfnotes.explorables._explorable import Constant, Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 346, 28, 196
_LEAST, _MOST = 0.25, 1024  # operations per byte
_LOWEST = 0.1  # per cent of the peak
_BATCHES = (1, 2, 4, 8, 16, 32, 64)
_WIDTH_MEASURED = 8192


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 0 below the ridge, 1 from the ridge on, 2 if no batch reaches the ridge."""
    bytes_each = 2 if n["machine"] else 4
    peak = n["h100-peak"] if n["machine"] else n["peak"]
    bandwidth = n["h100-bandwidth"] if n["machine"] else n["bandwidth"]
    batch, width = n["batch"], n["width"]
    moved = bytes_each * (width * width + batch * width + batch * width)
    intensity = 2 * batch * width * width / moved
    ridge = peak / bandwidth
    bound = min(peak, bandwidth * intensity)
    never = width / bytes_each < ridge
    return {
        "intensity": intensity,
        "ridge": ridge,
        "bound": bound,
        "limit": width / bytes_each,
        "share": 100 * bound / peak,
        "case": 2 if never else 1 if intensity >= ridge else 0,
    }


def _x(intensity: float) -> float:
    return log_place(intensity, _LEAST, _MOST, _LEFT, _RIGHT)


def _y(share: float) -> float:
    return log_place(max(share, _LOWEST), _LOWEST, 100, _BOTTOM, _TOP)


def frame(lang: str) -> str:
    """The axes."""
    parts = [line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "pn-x-axis")]
    for share, text in ((100, "100 %"), (10, "10 %"), (1, "1 %"), (0.1, "0.1 %")):
        parts.append(line(_LEFT, _y(share), _RIGHT, _y(share), "pn-x-grid"))
        parts.append(label(_LEFT - 5, _y(share) + 4, text, "end"))
    parts += [
        label(_x(each), _BOTTOM + 15, f"{each:g}", "middle") for each in (1, 4, 16, 64, 256, 1024)
    ]
    words = {"en": "operations per byte", "zh": "每字节的运算数"}
    parts.append(label(_RIGHT, _BOTTOM + 31, words[lang], "end"))
    parts.append(label(_LEFT + 4, 11, {"en": "share of the peak", "zh": "占峰值的比例"}[lang]))
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """The ridge, the roof, the measured points, and the batch with a line down to the axis."""
    ridge, x, y = _x(n["ridge"]), _x(n["intensity"]), _y(n["share"])
    yield {"x1": at(ridge), "x2": at(ridge)}
    lowest = 100 * _LEAST / n["ridge"]
    yield {"d": path([(_LEFT, _y(lowest)), (ridge, _TOP), (_RIGHT, _TOP)])}
    shown = n["machine"] == 0 and n["width"] == _WIDTH_MEASURED
    for batch in _BATCHES:
        of = compute({**n, "batch": batch})
        measured = _y(100 * n[f"r{batch}"] / n["peak"])
        kind = "pn-x-ring" if shown else "pn-x-none"
        yield {"class": kind, "cx": at(_x(of["intensity"])), "cy": at(measured)}
    yield {"x1": at(x), "y1": at(y), "x2": at(x)}
    yield {"cx": at(x), "cy": at(y)}


EXPLORABLE = Explorable(
    title=Bilingual("Drag the batch along the roofline", "沿着屋顶线拖动批大小"),
    lead=Bilingual(
        "The dot is the upper bound of a square linear layer, the dotted line the ridge. Rings "
        "are what was measured.",
        "实心点是方形线性层的速度上界，点线是脊点，空心圈是实测值。",
    ),
    how=Bilingual(
        "The bound is the smaller of two rates: the peak P, and the bandwidth beta times the "
        "operations per byte. Each matrix moves once. n is the width, s the bytes of an element.",
        "上界取两个速率中较小的一个：峰值 P，以及带宽 beta 乘以每字节的运算数。每个矩阵只搬运一次。"
        "n 是层宽，s 是每个元素的字节数。",
    ),
    formulas=(
        "intensity = 2 * B * n * n / (s * (n * n + 2 * B * n))",
        "ridge = P / beta",
        "bound = min(P, beta * intensity)",
    ),
    constants=(
        Constant(
            "peak",
            Bilingual("peak, one thread", "峰值（一个线程）"),
            "lab:cpu/roofline#peak",
            "GFLOP/s",
        ),
        Constant(
            "bandwidth",
            Bilingual("bandwidth, one thread", "带宽（一个线程）"),
            "lab:cpu/roofline#read",
            "GB/s",
        ),
        Constant(
            "h100-peak",
            Bilingual("peak, H100", "峰值（H100）"),
            "fact:h100-sxm5/bf16-tensor-published",
            "GFLOP/s",
        ),
        Constant(
            "h100-bandwidth",
            Bilingual("bandwidth, H100", "带宽（H100）"),
            "fact:h100-sxm5/memory-bandwidth-published",
            "GB/s",
        ),
        *(
            Constant(
                f"r{batch}",
                Bilingual(f"measured at batch {batch}", f"批大小为 {batch} 时的实测值"),
                f"lab:cpu/roofline#r{batch}",
                "GFLOP/s",
            )
            for batch in _BATCHES
        ),
    ),
    controls=(
        Control("batch", Bilingual("Batch", "批大小"), 0, 10, 3, doubling=True),
        Control("width", Bilingual("Width of the layer", "层宽"), 9, 14, 13, doubling=True),
        Control(
            "machine",
            Bilingual("Machine", "机器"),
            0,
            1,
            0,
            choices=(
                Bilingual("the lab's, one thread, float32", "实验所用机器，一个线程，float32"),
                Bilingual("H100, bfloat16", "H100，bfloat16"),
            ),
        ),
    ),
    says=(
        Bilingual(
            "At batch {batch} the layer does {intensity} operations per byte, below the ridge "
            "at {ridge}: memory allows at most {share} % of the peak.",
            "批大小为 {batch} 时，每字节做 {intensity} 次运算，低于脊点 {ridge}："
            "内存最多允许达到峰值的 {share} %。",
        ),
        Bilingual(
            "At batch {batch} the layer does {intensity} operations per byte, beyond the ridge "
            "at {ridge}: the arithmetic is the bound, and a larger batch does not raise it.",
            "批大小为 {batch} 时，每字节做 {intensity} 次运算，超过脊点 {ridge}："
            "上界来自运算，再增大批大小也不会升高。",
        ),
        Bilingual(
            "At batch {batch} the layer does {intensity} operations per byte. No batch gets beyond "
            "{limit}, and the ridge is at {ridge}: {share} % of the peak at most.",
            "批大小为 {batch} 时，每字节做 {intensity} 次运算。无论批多大都不超过 {limit}，"
            "而脊点在 {ridge}：此时最多达到峰值的 {share} %。",
        ),
    ),
    height=232,
    frame=lambda _, lang: frame(lang),
    moving=(
        ("line", {"class": "pn-x-mark", "y1": _TOP, "y2": _BOTTOM}),
        ("path", {"class": "pn-x-curve"}),
        *(("circle", {"r": 4}) for _ in _BATCHES),
        ("line", {"class": "pn-x-drop", "y2": _BOTTOM}),
        ("circle", {"class": "pn-x-dot", "r": 7}),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
    drag=True,
)
