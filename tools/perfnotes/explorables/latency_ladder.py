"""The time of a load against the working set, on the levels of a machine's memory."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, Element, at, label, line, log_place, path
from perfnotes.explorables._explorable import (
    Constant,
    Control,
    Explorable,
    Numbers,
    amount,
)
from perfnotes.model.bilingual import Bilingual

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 346, 34, 196
# The ends of the horizontal axis, in KiB.
_SMALLEST, _LARGEST = 4, 262_144
# The ends of the vertical axis, in ns.
_LEAST, _MOST = 0.5, 400
_MEASURED = {"16k": 16, "256k": 256, "4m": 4096, "16m": 16_384, "64m": 65_536, "256m": 262_144}
# The curve of random loads is drawn through so many points.
_POINTS = 64
_RING: Element = ("circle", {"class": "pn-x-ring", "r": 4})


def _levels(n: Numbers) -> tuple[tuple[float, float], ...]:
    """The capacity of each level in KiB with its time in ns; memory holds everything."""
    times = (n["ns-16k"], n["ns-256k"], n["ns-4m"], n["ns-256m"])
    return tuple(zip((n["l1"], n["l2"], n["l3"], float("inf")), times, strict=True))


def _shares(n: Numbers, size: float) -> list[float]:
    """The share (0 to 1) of loads from a working set of ``size`` KiB that each level serves."""
    shares: list[float] = []
    for capacity, _ in _levels(n):
        if n["walk"]:
            shares.append(min(1.0, capacity / size) - sum(shares))
        else:
            shares.append(1.0 if capacity >= size and not any(shares) else 0.0)
    return shares


def _time(n: Numbers, size: float) -> float:
    """The mean time in ns of a load from a working set of ``size`` KiB."""
    times = (time for _, time in _levels(n))
    return sum(share * time for share, time in zip(_shares(n, size), times, strict=True))


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is the number of the level, from 0, that serves a cycle, or 4 for random loads."""
    shares = _shares(n, n["size"])
    return {
        "time": _time(n, n["size"]),
        "memory": 100 * shares[3],
        "ratio": _time(n, n["size"]) / n["ns-16k"],
        "case": 4 if n["walk"] else shares.index(1),
    }


def _x(size: float) -> float:
    return log_place(size, _SMALLEST, _LARGEST, _LEFT, _RIGHT)


def _y(time: float) -> float:
    return log_place(time, _LEAST, _MOST, _BOTTOM, _TOP)


def frame(n: Numbers, lang: str) -> str:
    """The axes, the sizes of the caches, and what was measured."""
    parts = []
    for time in (1, 10, 100):
        parts.append(line(_LEFT, _y(time), _RIGHT, _y(time), "pn-x-grid"))
        parts.append(label(_LEFT - 5, _y(time) + 4, f"{time} ns", "end"))
    for name in ("l1", "l2", "l3"):
        parts.append(line(_x(n[name]), _TOP, _x(n[name]), _BOTTOM, "pn-x-mark"))
        parts.append(label(_x(n[name]), _TOP - 4, name.upper(), "middle"))
    parts.append(line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "pn-x-axis"))
    sizes = ((16, "16 KiB"), (256, "256 KiB"), (4096, "4 MiB"), (65_536, "64 MiB"))
    parts += [label(_x(size), _BOTTOM + 15, text, "middle") for size, text in sizes]
    parts.append(label(_LEFT, 12, {"en": "time of a load", "zh": "每次读的时间"}[lang]))
    parts.append(label(_RIGHT, _BOTTOM + 31, {"en": "working set", "zh": "工作集"}[lang], "end"))
    return "".join(parts)


def _curve(n: Numbers) -> list[tuple[float, float]]:
    if n["walk"]:
        by = (_LARGEST / _SMALLEST) ** (1 / _POINTS)
        sizes = [_SMALLEST * by**i for i in range(_POINTS + 1)]
        return [(_x(size), _y(_time(n, size))) for size in sizes]
    points, start = [], float(_SMALLEST)
    for capacity, time in _levels(n):
        end = min(capacity, _LARGEST)
        points += [(_x(start), _y(time)), (_x(end), _y(time))]
        start = end
    return points


def draw(n: Numbers) -> Iterator[Attributes]:
    """The curve of the model, the measured points, and the working set on the curve."""
    yield {"d": path(_curve(n))}
    for name, size in _MEASURED.items():
        yield {"cx": at(_x(size)), "cy": at(_y(n[f"ns-{name}"]))}
    x, y = at(_x(n["size"])), at(_y(n["time"]))
    yield {"x1": x, "y1": y, "x2": x}
    yield {"cx": x, "cy": y}


def _capacity(name: str, level: str, zh: str) -> Constant:
    what = Bilingual(f"{level} level", zh)
    return Constant(name, what, f"lab:caches/latency-ladder#{name}-bytes", "KiB")


_FITS = "a cycle through {{size}} fits into the {} level: {{time}} ns a load."
_FITS_ZH = "绕 {{size}} 一圈，{}缓存放得下：每次读 {{time}} ns。"

EXPLORABLE = Explorable(
    title=Bilingual("The latency ladder against a working set", "工作集在延迟阶梯上的位置"),
    lead=Bilingual(
        "The line is a model, rings are measured in a cycle. One ring lies far above the line: its "
        "data would fit the third level, but other guests share that level.",
        "线是模型，空心圈是绕圈时的实测值。有一个圈远在线之上：它的数据放得进三级缓存，但那一级与其他客户机共用。",
    ),
    how=Bilingual(
        "In a cycle the least recently used line is always the next one needed, so the smallest "
        "level that holds everything serves every load. Of random loads each level serves the "
        "share of the lines that it holds. The levels' times are those of 16 KiB, 256 KiB, 4 MiB "
        "and 256 MiB; address translation and overlap of loads are left out.",
        "绕圈访问时，最近最少使用的行总是下一个要用的行，所以每次读都由放得下全部数据的最小一级提供。"
        "随机访问时，每一级提供的比例是它所存行的比例。各级的时间取 16 KiB、256 KiB、4 MiB 与 "
        "256 MiB 的实测值；不计地址转换与读的重叠。",
    ),
    formulas=(
        "cycle = time[smallest level that holds size]",
        "share[k] = min(1, capacity[k] / size) - min(1, capacity[k - 1] / size)",
        "random = sum(share[k] * time[k])",
    ),
    constants=(
        _capacity("l1", "first", "一级缓存"),
        _capacity("l2", "second", "二级缓存"),
        _capacity("l3", "third", "三级缓存"),
        *(
            Constant(
                f"ns-{name}",
                Bilingual(f"a load, {amount(size, 'KiB')}", f"每次读，{amount(size, 'KiB')}"),
                f"lab:caches/latency-ladder#ns-{name}",
                "ns",
            )
            for name, size in _MEASURED.items()
        ),
    ),
    controls=(
        Control("size", Bilingual("Working set", "工作集"), 2, 18, 8, doubling=True, unit="KiB"),
        Control(
            "walk",
            Bilingual("Loads", "读的次序"),
            0,
            1,
            0,
            choices=(
                Bilingual("in a cycle through all lines", "绕所有缓存行一圈又一圈"),
                Bilingual("at random", "随机"),
            ),
        ),
    ),
    says=(
        Bilingual(_FITS.format("first").capitalize(), _FITS_ZH.format("一级")),
        Bilingual(_FITS.format("second").capitalize(), _FITS_ZH.format("二级")),
        Bilingual(_FITS.format("third").capitalize(), _FITS_ZH.format("三级")),
        Bilingual(
            "A cycle through {size} fits into no cache: {time} ns a load, {ratio}× the "
            "first level.",
            "绕 {size} 一圈，哪级缓存都放不下：每次读 {time} ns，是一级缓存的 {ratio} 倍。",
        ),
        Bilingual(
            "Random loads from {size}: {memory} % come from memory, and a load takes {time} ns on "
            "average, {ratio}× the first level.",
            "在 {size} 中随机读：{memory} % 来自内存，平均每次 {time} ns，"
            "是一级缓存的 {ratio} 倍。",
        ),
    ),
    height=232,
    frame=frame,
    moving=(
        ("path", {"class": "pn-x-curve"}),
        *[_RING] * len(_MEASURED),
        ("line", {"class": "pn-x-drop", "y2": _BOTTOM}),
        ("circle", {"class": "pn-x-dot", "r": 7}),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
    drag=True,
)
