"""Lines at a stride, and the sets of a cache that they fall into."""

from __future__ import annotations

import math
from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, at, label, line
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_SETS, _WAYS, _LINE, _LAPS = 64, 8, 64, 100
_LEFT, _TOP, _BOTTOM = 34, 22, 172
_COLUMN = 5
_MOST = 128


def _counts(n: Numbers) -> list[int]:
    counts = [0] * _SETS
    for i in range(int(n["lines"])):
        counts[i * int(n["stride"]) // _LINE % _SETS] += 1
    return counts


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 0 if every set holds its lines, else 1."""
    counts = _counts(n)
    return {
        "used": sum(count > 0 for count in counts),
        "fullest": max(counts),
        "loads": n["lines"] * _LAPS,
        "misses": sum(count if count <= _WAYS else count * _LAPS for count in counts),
        "case": int(max(counts) > _WAYS),
    }


def _y(count: int) -> float:
    return _BOTTOM - math.log2(1 + count) / math.log2(1 + _MOST) * (_BOTTOM - _TOP)


def frame(lang: str) -> str:
    """The axes, and the line up to which a set has places."""
    right = _LEFT + _SETS * _COLUMN
    parts = []
    for count in (1, 8, 64):
        kind = "pn-x-mark" if count == _WAYS else "pn-x-grid"
        parts.append(line(_LEFT, _y(count), right, _y(count), kind))
        parts.append(label(_LEFT - 5, _y(count) + 4, str(count), "end"))
    words = {
        "en": ("lines in each set", "8 places", "64 sets"),
        "zh": ("每组中的缓存行数", "8 个位置", "64 组"),
    }[lang]
    parts.append(line(_LEFT, _BOTTOM, right, _BOTTOM, "pn-x-axis"))
    parts.append(label(_LEFT, 12, words[0]))
    parts.append(label(right, _y(_WAYS) - 4, words[1], "end"))
    parts.append(label(right, _BOTTOM + 15, words[2], "end"))
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """A bar for each set."""
    for count in _counts(n):
        top = at(_y(count))
        kind = "pn-x-none" if not count else "pn-x-hot" if count > _WAYS else "pn-x-good"
        yield {"class": kind, "y": top, "height": at(_BOTTOM - top)}


EXPLORABLE = Explorable(
    title=Bilingual("Sets of a cache against a stride", "步长与缓存的组"),
    lead=Bilingual(
        "A cache of 32 KiB with 64 sets of 8 places and lines of 64 bytes. The program goes "
        "through the same lines 100 times.",
        "缓存为 32 KiB：64 组，每组 8 个位置，每行 64 字节。程序把同一批缓存行走 100 遍。",
    ),
    how=Bilingual(
        "A set that gets no more lines than it has places misses each of them once. In any other "
        "set the least recently used line goes, which is the next one needed, so every load "
        "misses. The size of the cache and the number of laps are chosen, as in the text.",
        "组里的行数不超过位置数时，每行只缺失一次。超过时，被替换的最近最少使用的行正是下一个要用的行，"
        "所以每次读都缺失。缓存的大小与遍数是选定的，与正文相同。",
    ),
    formulas=(
        "set_of = [i * stride // 64 % 64 for i in range(lines)]",
        "count = [set_of.count(k) for k in range(64)]",
        "misses = sum(c if c <= 8 else 100 * c for c in count)",
    ),
    constants=(),
    controls=(
        Control("stride", Bilingual("Stride", "步长"), 1, 128, 64, step=_LINE, unit="B"),
        Control("lines", Bilingual("Lines", "缓存行数"), 1, 16, 8, step=8),
    ),
    says=(
        Bilingual(
            "{lines} lines, {stride} apart, use {used} of 64 sets, with at most {fullest} lines "
            "in one. They fit: of {loads} loads {misses} miss, one for each line.",
            "{lines} 行相距 {stride}，用到 64 组中的 {used} 组，每组至多 {fullest} 行。"
            "放得下：{loads} 次读缺失 {misses} 次，每行一次。",
        ),
        Bilingual(
            "{lines} lines, {stride} apart, use {used} of 64 sets, with up to {fullest} lines for "
            "8 places. Of {loads} loads {misses} miss.",
            "{lines} 行相距 {stride}，用到 64 组中的 {used} 组，最多 {fullest} 行争 8 个位置。"
            "{loads} 次读缺失 {misses} 次。",
        ),
    ),
    height=194,
    frame=lambda _, lang: frame(lang),
    moving=tuple(("rect", {"x": _LEFT + _COLUMN * i, "width": 4.4}) for i in range(_SETS)),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
