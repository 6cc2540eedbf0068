"""A step of a pipeline: what every stage does when, in the order of GPipe or of 1F1B."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from perfnotes.explorables._drawing import Attributes, label
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_STAGES, _MICRO, _FORWARD, _BACKWARD = 6, 12, 1, 2
_LEFT, _TOP, _WIDE, _HELD, _ROW, _TALL = 40, 24, 288, 344, 22, 16

Action = tuple[int, int, int]
"""A micro-batch, the slot in which its pass begins, and the slots that the pass takes."""


def passes_in_order(stages: int, micro: int, one: bool, stage: int) -> list[int]:
    """The slots that each pass of a stage takes, in the order of GPipe, or of 1F1B if ``one``.

    GPipe is from [@huang2019gpipe, sec. 2.3]; 1F1B, which waits for all micro-batches at the end of
    a step, is from [@narayanan2021megatron, sec. 2.2.1].
    """
    ahead = held(stages, micro, one, stage)  # forward passes before the first backward pass
    steady = [_BACKWARD, _FORWARD] * (micro - ahead)
    return [_FORWARD] * ahead + steady + [_BACKWARD] * ahead


def timeline(stages: int, micro: int, one: bool) -> list[list[Action]]:
    """The passes of each stage. A pass begins as soon as its stage is free and its input is there.

    The input of a forward pass comes from the stage before, that of a backward pass from the stage
    after it.
    """
    orders = [passes_in_order(stages, micro, one, stage) for stage in range(stages)]
    rows: list[list[Action]] = [[] for _ in orders]
    ends: dict[tuple[int, int, int], int] = {}
    while any(len(row) < len(order) for row, order in zip(rows, orders, strict=True)):
        for stage, (row, order) in enumerate(zip(rows, orders, strict=True)):
            if len(row) == len(order):
                continue
            takes = order[len(row)]
            part = sum(taken == takes for _, _, taken in row)
            needed = stage - 1 if takes == _FORWARD else stage + 1
            ready = ends.get((needed, takes, part)) if 0 <= needed < stages else 0
            if ready is not None:
                start = max(ready, row[-1][1] + row[-1][2] if row else 0)
                ends[stage, takes, part] = start + takes
                row.append((part, start, takes))
    return rows


def held(stages: int, micro: int, one: bool, stage: int) -> int:
    """The most micro-batches whose activations a stage keeps at once."""
    return min(micro, stages - stage) if one else micro


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 1 for 1F1B."""
    stages, micro, one = int(n["stages"]), int(n["micro"]), bool(n["schedule"])
    slots = (_FORWARD + _BACKWARD) * (micro + stages - 1)
    idle = (_FORWARD + _BACKWARD) * (stages - 1)
    return {
        "slots": slots,
        "idle": idle,
        "share": 100 * idle / slots,
        "held": held(stages, micro, one, 0),
        "last": held(stages, micro, one, stages - 1),
        "case": int(one),
    }


def _boxes(row: list[Action], takes: int, stage: int, slots: int) -> str:
    """The attribute ``d`` of a box for each forward or each backward pass of a stage."""
    y = _TOP + _ROW * stage
    parts = []
    for _, start, taken in row:
        if taken == takes:
            x, end = (floor(_LEFT + _WIDE * at / slots + 0.5) for at in (start, start + taken))
            parts.append(f"M{x} {y}h{end - x - 1}v{_TALL}h{x + 1 - end}z")
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """For each stage its number, forward passes, backward passes, and the activations it keeps."""
    stages, micro, one = int(n["stages"]), int(n["micro"]), bool(n["schedule"])
    rows = timeline(stages, micro, one)
    for stage in range(_STAGES):
        if stage >= stages:
            yield from ({"text": ""}, {"d": "M0 0"}, {"d": "M0 0"}, {"text": ""})
            continue
        yield {"text": str(stage)}
        yield {"d": _boxes(rows[stage], _FORWARD, stage, int(n["slots"]))}
        yield {"d": _boxes(rows[stage], _BACKWARD, stage, int(n["slots"]))}
        yield {"text": str(held(stages, micro, one, stage))}


def _frame(lang: str) -> str:
    stage, time, holds = {
        "en": ("stage", "time →", "keeps"),
        "zh": ("阶段", "时间 →", "保留"),
    }[lang]
    return label(8, 14, stage) + label(_LEFT + 30, 14, time) + label(_HELD, 14, holds, "middle")


def _row(stage: int) -> tuple[tuple[str, Attributes], ...]:
    y = _TOP + _ROW * stage + 12
    return (
        ("text", {"x": 20, "y": y}),
        ("path", {"class": "pn-x-dot-2"}),
        ("path", {"class": "pn-x-good"}),
        ("text", {"x": _HELD, "y": y, "text-anchor": "middle"}),
    )


EXPLORABLE = Explorable(
    title=Bilingual("A step of a pipeline", "流水线的一步"),
    lead=Bilingual(
        "Each stage has a part of the layers. Micro-batches go through all stages forward, then "
        "backward, which takes twice as long.",
        "每个阶段有一部分层。微批次先向前走过全部阶段，再向后走回来，向后的用时是向前的两倍。",
    ),
    how=Bilingual(
        "Narrow boxes are forward passes, wide ones backward passes; the gaps are the bubble. "
        "The numbers on the right say of how many micro-batches a stage keeps activations at "
        "most. GPipe runs all forward passes first. In 1F1B a stage begins its backward passes as "
        "early as it can, and from then on does one of each. Stages are equal; sending takes no "
        "time. PyTorch's Schedule1F1B refuses fewer micro-batches than stages.",
        "窄框是前向，宽框是反向，空隙是气泡。右边的数字是一个阶段最多同时保留多少个微批次的激活值。"
        "GPipe 先做完全部前向。在 1F1B 中，一个阶段尽早开始反向，此后前向、反向各做一次，轮流进行。"
        "各阶段一样长，发送不占时间。微批次比阶段少时，PyTorch 的 Schedule1F1B 会拒绝。",
    ),
    formulas=(
        "slots = 3 * (micro + stages - 1)",
        "idle = 3 * (stages - 1)  # of each stage",
        "share = 100 * idle / slots",
    ),
    constants=(),
    controls=(
        Control("micro", Bilingual("Micro-batches", "微批次数"), 1, _MICRO, 8),
        Control("stages", Bilingual("Stages", "阶段数"), 2, _STAGES, 4),
        Control(
            "schedule",
            Bilingual("Schedule", "调度"),
            0,
            1,
            1,
            choices=(Bilingual("GPipe", "GPipe"), Bilingual("1F1B", "1F1B")),
        ),
    ),
    says=(
        Bilingual(
            "Each stage is idle in {idle} of {slots} slots, {share} %. "
            "All stages keep activations of {held} micro-batches.",
            "每个阶段在 {slots} 个时隙中空闲 {idle} 个，占 {share} %。"
            "各阶段都要保留 {held} 个微批次的激活值。",
        ),
        Bilingual(
            "Each stage is idle in {idle} of {slots} slots, {share} %. The first stage keeps "
            "activations of {held} micro-batches, the last one of {last}.",
            "每个阶段在 {slots} 个时隙中空闲 {idle} 个，占 {share} %。"
            "第一个阶段要保留 {held} 个微批次的激活值，最后一个保留 {last} 个。",
        ),
    ),
    height=160,
    frame=lambda _, lang: _frame(lang),
    moving=tuple(each for stage in range(_STAGES) for each in _row(stage)),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
