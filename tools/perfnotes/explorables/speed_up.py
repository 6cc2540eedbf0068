"""The speed-up by Amdahl and by Gustafson, for one number as two different shares.

The arguments are in [@amdahl1967validity, paragraph on housekeeping], which has no formula, and in
[@gustafson1988reevaluating, text below fig. 1].
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, at, label, line, log_place, path
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 346, 20, 196
_MOST = 1024
_POINTS = 20


def _amdahl(share: float, n: float) -> float:
    return 1 / (share + (1 - share) / n)


def _gustafson(share: float, n: float) -> float:
    return share + (1 - share) * n


def compute(n: Numbers) -> dict[str, float]:
    """The speed-ups by both laws, for the same number as the serial share.

    Amdahl takes the share of the time on one processor, Gustafson that of the parallel run. ``q``
    is Amdahl's share in per cent of the parallel run.
    """
    share = n["share"] / 100
    amdahl = _amdahl(share, n["n"])
    return {
        "amdahl": amdahl,
        "gustafson": _gustafson(share, n["n"]),
        "limit": 1 / share,
        "q": 100 * share * amdahl,
    }


def _x(n: float) -> float:
    return log_place(n, 1, _MOST, _LEFT, _RIGHT)


def _y(speed_up: float) -> float:
    return log_place(speed_up, 1, _MOST, _BOTTOM, _TOP)


def frame(lang: str) -> str:
    """The axes, and the speed-up without a serial part."""
    parts = []
    for each in (1, 4, 16, 64, 256, 1024):
        parts.append(line(_LEFT, _y(each), _RIGHT, _y(each), "pn-x-grid"))
        parts.append(label(_LEFT - 5, _y(each) + 4, f"{each}×", "end"))
        parts.append(label(_x(each), _BOTTOM + 15, str(each), "middle"))
    parts.append(line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "pn-x-axis"))
    parts.append(line(_LEFT, _BOTTOM, _RIGHT, _TOP, "pn-x-axis"))
    parts.append(label(_LEFT, 11, {"en": "speed-up", "zh": "加速比"}[lang]))
    parts.append(label(_RIGHT, _BOTTOM + 31, {"en": "processors", "zh": "处理器数"}[lang], "end"))
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """Amdahl's bound, both curves with their names, and the points on them."""
    share = n["share"] / 100
    sizes = [2 ** (i * 10 / _POINTS) for i in range(_POINTS + 1)]
    bound = at(_y(min(n["limit"], _MOST)))
    yield {"y1": bound, "y2": bound}
    yield {"d": path((_x(size), _y(_gustafson(share, size))) for size in sizes)}
    yield {"d": path((_x(size), _y(_amdahl(share, size))) for size in sizes)}
    yield {"y": at(_y(_amdahl(share, _MOST)) + 16)}
    x = at(_x(n["n"]))
    yield {"x1": x, "y1": at(_y(n["gustafson"])), "x2": x}
    yield {"cx": x, "cy": at(_y(n["gustafson"]))}
    yield {"cx": x, "cy": at(_y(n["amdahl"]))}


EXPLORABLE = Explorable(
    title=Bilingual("One number, two shares, two speed-ups", "一个数，两种比例，两种加速比"),
    lead=Bilingual(
        "Solid, Amdahl: the number is a share of the time on one processor. Dashed, Gustafson: it "
        "is a share of the time of the parallel run. Thin: no serial part.",
        "实线（Amdahl）：这个数是单个处理器上运行时间的比例。虚线（Gustafson）：它是并行运行时间的比例。"
        "细线：没有串行部分。",
    ),
    how=Bilingual(
        "Amdahl's law takes the share s of the run on one processor, Gustafson's the share q of "
        "the parallel run. For q = s * amdahl both give the same. The rest is taken to divide "
        "perfectly. The 5 % and 16 processors at the start are chosen.",
        "Amdahl 定律取单处理器运行的比例 s，Gustafson 定律取并行运行的比例 q。"
        "令 q = s * amdahl，两者结果相同。其余部分视为可以完全均分。"
        "起始的 5 % 与 16 个处理器是选定的。",
    ),
    formulas=(
        "amdahl = 1 / (s + (1 - s) / N)",
        "limit = 1 / s",
        "gustafson = q + (1 - q) * N",
    ),
    constants=(),
    controls=(
        Control("n", Bilingual("Processors", "处理器数"), 0, 10, 4, doubling=True),
        Control("share", Bilingual("Serial share", "串行比例"), 1, 50, 5, unit="%"),
    ),
    says=(
        Bilingual(
            "{share} of the time on one processor: {n} processors give {amdahl}×, any number less "
            "than {limit}×, and the serial part is {q} % of the parallel run. {share} of the time "
            "of the parallel run: {gustafson}×.",
            "占单处理器时间的 {share}：{n} 个处理器加速 {amdahl} 倍，再多也不到 {limit} 倍，"
            "串行部分占并行运行的 {q} %。占并行运行时间的 {share}：加速 {gustafson} 倍。",
        ),
    ),
    height=232,
    frame=lambda _, lang: frame(lang),
    moving=(
        ("line", {"class": "pn-x-mark", "x1": _LEFT, "x2": _RIGHT}),
        ("path", {"class": "pn-x-curve-2"}),
        ("path", {"class": "pn-x-curve"}),
        ("text", {"x": _RIGHT, "text-anchor": "end", "text": "Amdahl"}),
        ("line", {"class": "pn-x-drop", "y2": _BOTTOM}),
        ("circle", {"class": "pn-x-dot-2", "r": 6}),
        ("circle", {"class": "pn-x-dot", "r": 7}),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
    drag=True,
)
