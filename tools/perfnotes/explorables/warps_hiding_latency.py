"""Warps that take turns at one scheduler: others issue while one waits for a load."""

from __future__ import annotations

import math
from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, label, line
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_MOST, _CYCLES = 12, 66
_LEFT, _CYCLE = 16, 5
_SCHEDULER, _TALL = 20, 9
_WARPS, _ROW = 54, 11


def issuing_warps(warps: int, work: int, latency: int, cycles: int) -> list[int]:
    """For each cycle the warp that issues, or -1.

    The warp that issued last goes on while it is ready, as in "greedy then oldest" scheduling;
    otherwise the one that has been ready longest issues. Each warp repeats: ``work`` instructions,
    the last of them a load, then a wait of ``latency`` cycles for it.
    """
    ready, done = [0] * warps, [0] * warps
    turns: list[int] = []
    last = 0
    for cycle in range(cycles):
        if ready[last] > cycle:
            last = min(range(warps), key=lambda warp: (ready[warp], warp))
        if ready[last] > cycle:
            turns.append(-1)
            continue
        turns.append(last)
        done[last] += 1
        ready[last] = cycle + 1 + (latency if done[last] % work == 0 else 0)
    return turns


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 1 if the warps hide the latency, by Little's law [@little1961proof], else 0."""
    period = n["work"] + n["latency"]
    return {
        "share": 100 * min(1.0, n["warps"] * n["work"] / period),
        "needed": math.ceil(period / n["work"]),
        "case": int(n["warps"] * n["work"] >= period),
    }


def _boxes(turns: list[bool], y: int) -> str:
    """The attribute ``d`` of a path with a box for each run of cycles in which a warp issues."""
    parts = []
    start = -1
    for cycle, on in enumerate([*turns, False]):
        if on and start < 0:
            start = cycle
        if not on and start >= 0:
            x, wide = _LEFT + _CYCLE * start, _CYCLE * (cycle - start) - 1
            parts.append(f"M{x} {y}h{wide}v{_TALL}h{-wide}z")
            start = -1
    return "".join(parts) or f"M{_LEFT} {y}"


def draw(n: Numbers) -> Iterator[Attributes]:
    """What the scheduler issues, then for each warp its row and the cycles in which it issues."""
    warps = int(n["warps"])
    turns = issuing_warps(warps, int(n["work"]), int(n["latency"]), _CYCLES)
    yield {"d": _boxes([turn >= 0 for turn in turns], _SCHEDULER)}
    for warp in range(_MOST):
        yield {"class": "pn-x-grid" if warp < warps else "pn-x-none"}
        yield {"d": _boxes([turn == warp for turn in turns], _WARPS + _ROW * warp)}


def _frame(lang: str) -> str:
    scheduler, warps, time = {
        "en": ("what the scheduler issues", "warps", "cycles →"),
        "zh": ("调度器发射的指令", "线程束", "周期 →"),
    }[lang]
    right, y = _LEFT + _CYCLE * _CYCLES, _SCHEDULER + _TALL / 2
    return "".join(
        (
            label(_LEFT, 14, scheduler),
            label(_LEFT, 48, warps),
            label(right, 14, time, "end"),
            line(_LEFT, y, right, y, "pn-x-grid"),
        )
    )


def _row(warp: int) -> Attributes:
    y = _WARPS + _ROW * warp + _TALL / 2
    return {"x1": _LEFT, "x2": _LEFT + _CYCLE * _CYCLES, "y1": y, "y2": y}


EXPLORABLE = Explorable(
    title=Bilingual("Warps hiding latency", "线程束怎样掩盖延迟"),
    lead=Bilingual(
        "A scheduler issues at most one instruction a cycle. Each warp issues some, the last of "
        "them a load, and then waits until the load has come.",
        "调度器每个周期至多发射一条指令。每个线程束发射几条，最后一条是读取，然后等读取的结果到达。",
    ),
    how=Bilingual(
        "A box is a cycle in which an instruction is issued. A warp goes on until it has to wait; "
        "then the one that has been ready longest issues. By Little's law a latency is hidden if "
        "enough work of others fits into it. With a scheduler that changes the warp after every "
        "instruction the share can be lower. Real latencies are hundreds of cycles; caches, "
        "several loads in flight and limits of bandwidth are left out.",
        "一个方块是发射一条指令的周期。一个线程束连续发射，直到必须等待；然后轮到最早就绪的那个。"
        "按利特尔法则，延迟期间能放进足够多别的工作，延迟就被掩盖。"
        "如果调度器每条指令之后都换线程束，占比可能更低。"
        "真实的延迟有几百个周期；缓存、同时在途的多次读取与带宽的上限都没有算进去。",
    ),
    formulas=(
        "share = 100 * min(1, warps * work / (work + latency))",
        "needed = ceil((work + latency) / work)",
    ),
    constants=(),
    controls=(
        Control("warps", Bilingual("Warps", "线程束"), 1, _MOST, 4),
        Control("work", Bilingual("Instructions between waits", "两次等待之间的指令数"), 1, 8, 4),
        Control("latency", Bilingual("Latency, in cycles", "延迟（周期）"), 0, 40, 24),
    ),
    says=(
        Bilingual(
            "In the long run the scheduler issues in {share} % of the cycles. "
            "{needed} warps would hide this latency.",
            "长期来看，调度器在 {share} % 的周期里发射。要掩盖这段延迟，需要 {needed} 个线程束。",
        ),
        Bilingual(
            "In the long run the scheduler issues in every cycle: the latency is hidden, "
            "for which {needed} warps are enough.",
            "长期来看，调度器每个周期都发射：延迟被掩盖，有 {needed} 个线程束就够了。",
        ),
    ),
    height=194,
    frame=lambda _, lang: _frame(lang),
    moving=(
        ("path", {"class": "pn-x-good"}),
        *(
            each
            for warp in range(_MOST)
            for each in (("line", _row(warp)), ("path", {"class": "pn-x-first"}))
        ),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
