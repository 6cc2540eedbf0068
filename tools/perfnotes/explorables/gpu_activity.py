"""GPU-Util compared with SM activity, for kernels on a timeline of four multiprocessors."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, Element, at, label, line
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_SMS, _PERIOD, _WARPS = 4, 10, 64
_LEFT, _TOP, _WIDE, _ROW = 46, 22, 30, 26
_BAR_LEFT, _BAR_RIGHT, _BARS = 118, 300, 158
_KINDS = ("pn-x-none", "pn-x-first", "pn-x-second", "pn-x-third")


def _cells(n: Numbers) -> list[list[tuple[int, int]]]:
    """For each SM and unit of time, the number of the kernel that runs (or 0), and its warps."""
    cells = [[(0, 0)] * _PERIOD for _ in range(_SMS)]
    kernels = (
        (1, 0, int(n["blocks"]), 0, int(n["units"]), int(n["warps"])),
        (2, 0, _SMS, 6, 8, 32),
        (3, 2, 1, 8, 10, 8),
    )
    for kernel, first, sms, start, end, warps in kernels:
        for sm in range(first, first + sms):
            cells[sm][start:end] = [(kernel, warps)] * (end - start)
    return cells


def compute(n: Numbers) -> dict[str, float]:
    """The three shares in per cent, and the counts that they are made from."""
    cells = _cells(n)
    busy = sum(any(row[t][0] for row in cells) for t in range(_PERIOD))
    pairs = sum(kernel > 0 for row in cells for kernel, _ in row)
    resident = sum(warps for row in cells for _, warps in row)
    return {
        "busy": busy,
        "pairs": pairs,
        "util": 100 * busy / _PERIOD,
        "active": 100 * pairs / (_SMS * _PERIOD),
        "occupancy": 100 * resident / (_SMS * _PERIOD * _WARPS),
    }


def frame(lang: str) -> str:
    """The grid of SMs and units, and the names of the three shares."""
    right, bottom = _LEFT + _PERIOD * _WIDE, _TOP + _SMS * _ROW
    parts = []
    for sm in range(_SMS):
        parts.append(label(_LEFT - 6, _TOP + sm * _ROW + 17, f"SM {sm}", "end"))
    for row in range(_SMS + 1):
        parts.append(line(_LEFT, _TOP + row * _ROW, right, _TOP + row * _ROW, "pn-x-grid"))
    for unit in range(_PERIOD + 1):
        x = _LEFT + unit * _WIDE
        parts.append(line(x, _TOP, x, bottom, "pn-x-grid"))
    kernels = {"en": "kernel A", "zh": "核函数 A"}[lang]
    parts.append(label(_LEFT, 14, kernels))
    parts.append(label(_LEFT + 7 * _WIDE, 14, "B", "middle"))
    parts.append(label(_LEFT + 9 * _WIDE, 14, "C", "middle"))
    parts.append(label(right, bottom + 14, {"en": "time →", "zh": "时间 →"}[lang], "end"))
    names = {
        "en": ("GPU-Util", "SM active", "SM occupancy"),
        "zh": ("GPU-Util", "SM 活跃度", "SM 占用率"),
    }[lang]
    for i, name in enumerate(names):
        y = _BARS + i * 20
        parts.append(label(_BAR_LEFT - 8, y + 11, name, "end"))
        parts.append(line(_BAR_LEFT, y + 14, _BAR_RIGHT, y + 14, "pn-x-grid"))
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """A cell for each SM and unit of time, filled by its warps, and a bar for each share."""
    for sm, row in enumerate(_cells(n)):
        for kernel, warps in row:
            high = at(24 * warps / _WARPS)
            y = at(_TOP + (sm + 1) * _ROW - 1 - high)
            yield {"class": _KINDS[kernel], "y": y, "height": high}
    for share in ("util", "active", "occupancy"):
        yield {"width": at(n[share] / 100 * (_BAR_RIGHT - _BAR_LEFT))}
        yield {"text": f"{at(n[share]):.10g} %"}


def _bar(i: int) -> tuple[Element, ...]:
    y = _BARS + i * 20
    return (
        ("rect", {"class": "pn-x-hot", "x": _BAR_LEFT, "y": y, "height": 14}),
        ("text", {"class": "pn-x-strong", "x": _BAR_RIGHT + 6, "y": y + 11}),
    )


EXPLORABLE = Explorable(
    title=Bilingual("GPU-Util beside SM activity", "GPU-Util 与 SM 活跃度"),
    lead=Bilingual(
        "Four SMs and ten units of time, as in the text. Change kernel A: the higher a cell is "
        "filled, the more of 64 warps are resident.",
        "与正文一样，四个 SM、十个时间单位。改变核函数 A：格子填得越高，64 个线程束中驻留的越多。",
    ),
    how=Bilingual(
        "GPU-Util counts units of time with any kernel, SM active pairs of an SM and a unit with "
        "any warp, SM occupancy resident warps. Kernels B and C, the four SMs, the ten units and "
        "the 64 warps are chosen, as in the text.",
        "GPU-Util 数的是有核函数在跑的时间单位，SM 活跃度数的是有线程束的“SM·单位”，"
        "SM 占用率数的是驻留的线程束。"
        "核函数 B 与 C、四个 SM、十个单位和 64 个线程束都是选定的，与正文相同。",
    ),
    formulas=(
        "util = units with any kernel / 10",
        "active = pairs of SM and unit with any warp / (4 * 10)",
        "occupancy = resident warps / (4 * 10 * 64)",
    ),
    constants=(),
    controls=(
        Control("blocks", Bilingual("Blocks of kernel A", "核函数 A 的线程块数"), 1, 4, 1),
        Control("units", Bilingual("Units that A runs", "A 运行的时间单位数"), 0, 6, 6),
        Control(
            "warps",
            Bilingual("Warps in a block of A", "A 每块的线程束数"),
            0,
            6,
            2,
            doubling=True,
        ),
    ),
    says=(
        Bilingual(
            "In {busy} of 10 units some kernel runs: GPU-Util is {util} %. In {pairs} of 40 pairs "
            "of an SM and a unit there is a warp: SM active is {active} %. SM occupancy is "
            "{occupancy} %.",
            "10 个单位中有 {busy} 个有核函数在跑：GPU-Util 为 {util} %。"
            "40 个“SM·单位”中有 {pairs} 个有线程束：SM 活跃度为 {active} %。"
            "SM 占用率为 {occupancy} %。",
        ),
    ),
    height=220,
    frame=lambda _, lang: frame(lang),
    moving=(
        *(
            ("rect", {"x": _LEFT + unit * _WIDE + 1, "width": _WIDE - 2})
            for _ in range(_SMS)
            for unit in range(_PERIOD)
        ),
        *(each for i in range(3) for each in _bar(i)),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
