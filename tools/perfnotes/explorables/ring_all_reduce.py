"""An all-reduce in a ring, step by step: the chunks of every rank, and how many ranks are summed.

The algorithm is from [@patarasuk2009bandwidth].
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, Element, at, label
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_MOST = 8
_LEFT, _TOP, _WIDE, _HIGH, _GAP = 60, 24, 296, 176, 1


def _steps(n: Numbers) -> int:
    """The steps of both phases."""
    return 2 * (int(n["ranks"]) - 1)


def received(ranks: int, step: int, rank: int) -> int:
    """The chunk that a rank receives in a step, which counts from 1."""
    half = ranks - 1
    return (rank - step if step <= half else rank - (step - half) + 1) % ranks


def summed_chunks(ranks: int, now: int) -> list[list[int]]:
    """For each rank and chunk, of how many ranks the values are summed in it after step ``now``."""
    summed = [[1] * ranks for _ in range(ranks)]
    for step in range(1, now + 1):
        for rank in range(ranks):
            chunk = received(ranks, step, rank)
            summed[rank][chunk] = min(step + 1, ranks)
    return summed


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 0 before the first step, then the number of the phase, and 3 after the last."""
    ranks, steps = int(n["ranks"]), _steps(n)
    now = min(int(n["step"]), steps)
    phase = 1 if now <= steps // 2 else 2
    return {
        "now": now,
        "steps": steps,
        "sent": now / ranks,
        "whole": steps / ranks,
        "case": 0 if now == 0 else 3 if now == steps else phase,
    }


def draw(n: Numbers) -> Iterator[Attributes]:
    """The numbers of the ranks, then a cell for each rank and chunk, filled by what is summed."""
    ranks, now = int(n["ranks"]), int(n["now"])
    wide, high = _WIDE / ranks, _HIGH / ranks
    for rank in range(_MOST):
        shown = rank < ranks
        y = at(_TOP + high * (rank + 0.5) + 4) if shown else 0
        yield {"y": y, "text": str(rank) if shown else ""}
    summed = summed_chunks(ranks, now)
    for rank in range(_MOST):
        for chunk in range(_MOST):
            if rank >= ranks or chunk >= ranks:
                yield {"class": "pn-x-none"}
                yield {"class": "pn-x-none"}
                continue
            x, y = at(_LEFT + wide * chunk), at(_TOP + high * rank)
            width, height = at(wide - _GAP), at(high - _GAP)
            full = at(height * summed[rank][chunk] / ranks)
            new = now > 0 and received(ranks, now, rank) == chunk
            done = summed[rank][chunk] == ranks
            yield {"class": "pn-x-cell", "x": x, "y": y, "width": width, "height": height}
            yield {
                "class": "pn-x-hot" if new else "pn-x-good" if done else "pn-x-first",
                "x": x,
                "y": at(y + height - full),
                "width": width,
                "height": full,
            }


def _frame(lang: str) -> str:
    ranks, chunks = {"en": ("ranks", "chunks of the data"), "zh": ("进程", "数据的各块")}[lang]
    return label(8, 14, ranks) + label(_LEFT, 14, chunks)


_CELL: tuple[Element, ...] = (("rect", {}), ("rect", {}))

EXPLORABLE = Explorable(
    title=Bilingual("An all-reduce in a ring, step by step", "环形全归约，一步一步看"),
    lead=Bilingual(
        "Each rank holds its own values for all chunks. In every step it sends one chunk to the "
        "next rank and receives one from the rank before.",
        "每个进程都有自己的一份数据，分成若干块。每一步，它把一块发给下一个进程，"
        "并从上一个进程收到一块。",
    ),
    how=Bilingual(
        "A cell is filled as far as values of ranks are summed in it; a full one is finished. The "
        "bright cells are those received in this step. In the first phase a rank adds what it "
        "receives, in the second it takes over a finished chunk. Time, links and the pipelining "
        "of smaller pieces are left out.",
        "一格填到多高，就有多少个进程的值加在里面；填满就是完成。亮的格子是这一步收到的。"
        "前一阶段，进程把收到的加到自己的上面；后一阶段，它直接换上已完成的块。"
        "时间、链路和更小分片的流水都没有算进去。",
    ),
    formulas=(
        "steps = 2 * (ranks - 1)",
        "sent = now / ranks  # of the data, by each rank",
        "whole = steps / ranks",
    ),
    constants=(),
    controls=(
        Control("step", Bilingual("Step", "步"), 0, 2 * (_MOST - 1), 2),
        Control("ranks", Bilingual("Ranks", "进程数"), 2, _MOST, 4),
    ),
    says=(
        Bilingual(
            "Nothing is sent yet. {steps} steps will follow.",
            "还什么都没有发送。接下来有 {steps} 步。",
        ),
        Bilingual(
            "Step {now} of {steps}, reduce-scatter: what arrives is added. "
            "Each rank has sent {sent} times its data.",
            "第 {now} 步，共 {steps} 步，归约散布：收到的加到自己的上面。"
            "每个进程已发送自己数据量的 {sent} 倍。",
        ),
        Bilingual(
            "Step {now} of {steps}, all-gather: finished chunks go round. "
            "Each rank has sent {sent} times its data.",
            "第 {now} 步，共 {steps} 步，全收集：完成的块依次传递。"
            "每个进程已发送自己数据量的 {sent} 倍。",
        ),
        Bilingual(
            "Done after {steps} steps: every rank has every sum, "
            "and each has sent {whole} times its data.",
            "{steps} 步之后完成：每个进程都有全部的和，各自发送了自己数据量的 {whole} 倍。",
        ),
    ),
    height=208,
    frame=lambda _, lang: _frame(lang),
    moving=(
        *(("text", {"x": 24}) for _ in range(_MOST)),
        *(each for _ in range(_MOST * _MOST) for each in _CELL),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
