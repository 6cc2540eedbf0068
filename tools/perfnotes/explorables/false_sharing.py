"""Two counters that move into one cache line, and the writes that have to wait for the line."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, at, box, label
from perfnotes.explorables._explorable import Constant, Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_LINE, _WORD, _LINES, _TURNS = 64, 8, 3, 8
_LEFT, _CELL, _GAP = 6, 14, 6
_MEMORY, _FIRST_ROW, _ROW = 26, 88, 26
_TABLE, _TURN = 78, 34


def _lines(n: Numbers) -> tuple[int, int]:
    return int(n["offset"]) // _LINE, int(n["offset"] + n["distance"]) // _LINE


def _waits(n: Numbers) -> list[bool]:
    """For each write in turn, whether it waits: it does unless its core wrote to the line last."""
    lines = _lines(n)
    owner: dict[int, int] = {}
    waits = []
    for turn in range(_TURNS):
        core = turn % 2
        waits.append(owner.get(lines[core]) != core)
        owner[lines[core]] = core
    return waits


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 0 if both counters lie in one line, else 1."""
    first, second = _lines(n)
    return {
        "first": first + 1,
        "second": second + 1,
        "waiting": sum(_waits(n)),
        "case": int(first != second),
    }


def _x(byte: float) -> float:
    line, within = int(byte) // _LINE, int(byte) % _LINE // _WORD
    return _LEFT + line * (_CELL * _LINE // _WORD + _GAP) + within * _CELL


def frame(lang: str) -> str:
    """The lines of memory in words of eight bytes, and the table of turns."""
    words = {
        "en": ("line", "core A", "core B", "✓ the core has the line", "✕ the line must come first"),
        "zh": ("缓存行", "核心 A", "核心 B", "✓ 核心持有该行", "✕ 要先把行取来"),
    }[lang]
    parts = []
    for i in range(_LINES):
        start = _x(i * _LINE)
        parts.append(label(start, _MEMORY - 8, f"{words[0]} {i + 1}"))
        width = _CELL * _LINE // _WORD
        parts += [
            box("pn-x-cell", _x(i * _LINE + k * _WORD), _MEMORY, _CELL, 22)
            for k in range(_LINE // _WORD)
        ]
        parts.append(box("pn-x-frame", start, _MEMORY, width, 22))
    for core in (0, 1):
        parts.append(label(_LEFT, _FIRST_ROW + core * _ROW + 15, words[1 + core]))
    parts.append(label(_TABLE, 80, {"en": "writes in turn →", "zh": "轮流写 →"}[lang]))
    parts.append(label(_LEFT, 160, words[3]))
    parts.append(label(354, 160, words[4], "end"))
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """Both counters with their letters, and a cell for each turn."""
    first, second = _x(n["offset"]), _x(n["offset"] + n["distance"])
    yield {"x": at(first)}
    yield {"x": at(second)}
    yield {"x": at(first + _CELL / 2)}
    yield {"x": at(second + _CELL / 2)}
    for waits in _waits(n):
        yield {"class": "pn-x-waits" if waits else "pn-x-owns"}
        yield {"text": "✕" if waits else "✓"}


def _turn(turn: int) -> tuple[tuple[str, Attributes], ...]:
    x, y = _TABLE + turn * _TURN, _FIRST_ROW + turn % 2 * _ROW
    return (
        ("rect", {"x": x, "y": y, "width": _TURN - 2, "height": 22}),
        ("text", {"class": "pn-x-strong", "text-anchor": "middle", "x": x + 16, "y": y + 15}),
    )


EXPLORABLE = Explorable(
    title=Bilingual("Two counters slide into one line", "两个计数器滑进同一条缓存行"),
    lead=Bilingual(
        "Core A writes to its counter, then core B to its own, in turn. Lines have 64 bytes.",
        "核心 A 写自己的计数器，然后核心 B 写它自己的，轮流进行。缓存行为 64 字节。",
    ),
    how=Bilingual(
        "A simulation of eight writes: a write has to fetch the line unless its own core wrote to "
        "it last. Real cores often write several times before the line is taken from them, so "
        "fewer writes wait. The two times are measured: with the counters 8 and 128 bytes apart.",
        "模拟八次写：除非上一次写这一行的就是本核心，否则要先把行取来。真实的核心往往在行被取走之前写好几次，"
        "所以等待的写更少。两个时间是实测值：计数器分别相距 8 字节与 128 字节。",
    ),
    formulas=(
        "line = [offset // 64, (offset + distance) // 64]",
        "for turn in range(8):",
        "    core = turn % 2",
        "    waits = last_writer[line[core]] != core",
        "    last_writer[line[core]] = core",
    ),
    constants=(
        Constant(
            "together",
            Bilingual("an atomic increment, 8 bytes apart", "原子自增，相距 8 字节"),
            "lab:caches/false-sharing#atomic-together-ns",
            "ns",
        ),
        Constant(
            "apart",
            Bilingual("an atomic increment, 128 bytes apart", "原子自增，相距 128 字节"),
            "lab:caches/false-sharing#atomic-apart-ns",
            "ns",
        ),
    ),
    controls=(
        Control(
            "distance",
            Bilingual("Distance of the counters", "两个计数器的距离"),
            1,
            16,
            1,
            step=_WORD,
            unit="B",
        ),
        Control(
            "offset",
            Bilingual("Place of the first in its line", "第一个计数器在行内的位置"),
            0,
            7,
            0,
            step=_WORD,
            unit="B",
        ),
    ),
    says=(
        Bilingual(
            "Both counters lie in line {first}: of 8 writes in turn, {waiting} wait for the line. "
            "Measured with one line for both: {together} ns an increment.",
            "两个计数器都在缓存行 {first} 里：轮流写 8 次，{waiting} 次要等这一行。"
            "两者同在一行时实测：每次自增 {together} ns。",
        ),
        Bilingual(
            "The counters lie in lines {first} and {second}: of 8 writes in turn, {waiting} wait, "
            "the first of each core. Measured with a line for each: {apart} ns an increment.",
            "两个计数器在缓存行 {first} 与 {second} 里：轮流写 8 次，"
            "{waiting} 次要等，即各自的第一次。"
            "各占一行时实测：每次自增 {apart} ns。",
        ),
    ),
    height=170,
    frame=lambda _, lang: frame(lang),
    moving=(
        ("rect", {"class": "pn-x-counter", "y": _MEMORY + 2, "width": _CELL, "height": 18}),
        ("rect", {"class": "pn-x-counter-2", "y": _MEMORY + 2, "width": _CELL, "height": 18}),
        ("text", {"class": "pn-x-strong", "text-anchor": "middle", "y": _MEMORY + 15, "text": "A"}),
        ("text", {"class": "pn-x-strong", "text-anchor": "middle", "y": _MEMORY + 15, "text": "B"}),
        *(each for turn in range(_TURNS) for each in _turn(turn)),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
