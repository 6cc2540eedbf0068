"""Lines over a parameter, such as time over size; marks show the sizes of the caches."""

from __future__ import annotations

from perfnotes.plots.axis import Axis, axis_of, parameter_axis
from perfnotes.plots.data import Measure, Panel, PlotData
from perfnotes.plots.shapes import (
    EM,
    LINE_HEIGHT,
    WIDTH,
    Drawing,
    line,
    marker,
    path,
    text,
    words_width,
    wrapped,
)

AXIS = True
_HIGH = 210
_RIGHT = WIDTH - 14


def draw(data: PlotData, panel: Panel, lang: str) -> Drawing:
    """Draw a line for each series, over the parameter."""
    legend, top = _legend(panel, lang)
    factor = data.shown_unit[0]
    y = axis_of(data.numbers, 0, 1, factor=factor)
    left = 10 + max(words_width(label) for _, label in y.ticks())
    x = parameter_axis(data.places, left + 6, _RIGHT, binary=data.in_bytes)
    marks, top = _marks(panel, x, lang, top)
    y = Axis(y.low, y.high, y.log, top + _HIGH, top, factor)
    parts = [*legend, *marks]
    for value, label in y.ticks():
        at = y.at(value)
        parts.append(line(left, at, _RIGHT, at, "pn-c-grid"))
        parts.append(text(left - 6, at + EM / 3, label, anchor="end"))
    parts += _limit(panel, y, left, lang)
    parts += _x_axis(x, left, top + _HIGH)
    # What is drawn last covers the rest, so the first series is drawn last.
    for i, group in reversed(list(enumerate(panel.groups))):
        parts += _series(group.measures, x, y, i)
    bottom = top + _HIGH + LINE_HEIGHT + 8
    if data.plot.parameter:
        for each in wrapped(_parameter(data, lang), _RIGHT - left, 2):
            parts.append(text(_RIGHT, bottom + EM, each, anchor="end", css_class="pn-c-label"))
            bottom += LINE_HEIGHT
    return Drawing("".join(parts), bottom + 4)


def _parameter(data: PlotData, lang: str) -> str:
    parameter = data.plot.parameter
    assert parameter
    if not parameter.unit or data.in_bytes:
        return parameter.what[lang]
    if lang == "zh":
        return f"{parameter.what[lang]}（{parameter.unit}）"
    return f"{parameter.what[lang]}, {parameter.unit}"


def _legend(panel: Panel, lang: str) -> tuple[list[str], float]:
    """Return the names of the series with their markers, and the height that they take."""
    parts: list[str] = []
    x, y = 8.0, 0.0
    named = [(i, g.name[lang]) for i, g in enumerate(panel.groups) if g.name]
    for i, name in named:
        words = wrapped(name, WIDTH - 40, 1)[0]
        wide = 18 + words_width(words) + 14
        if x > 8 and x + wide > WIDTH:
            x, y = 8.0, y + LINE_HEIGHT
        parts.append(marker(x + 6, y + EM - 5, i))
        parts.append(text(x + 18, y + EM, words, css_class="pn-c-label"))
        x += wide
    return parts, y + LINE_HEIGHT + 8 if named else 6.0


def _marks(panel: Panel, x: Axis, lang: str, top: float) -> tuple[list[str], float]:
    """Return lines and words of the marks, and where the plot below the words begins."""
    inside = [(what[lang], x.at(at)) for what, at in panel.marks if x.low < at < x.high]
    ends: list[float] = []  # in each line of words, where the last ones end
    placed = []
    for words, at in sorted(inside, key=lambda pair: pair[1]):
        half = words_width(words) / 2
        middle = min(max(at, half + 2), WIDTH - half - 2)
        row = next((i for i, end in enumerate(ends) if middle - half > end), len(ends))
        ends[row : row + 1] = [middle + half + EM / 2]
        placed.append((words, at, middle, row))
    below = top + LINE_HEIGHT * len(ends) + (4 if ends else 0)
    parts = []
    for words, at, middle, row in placed:
        base = top + LINE_HEIGHT * row + EM
        parts.append(line(at, base + 4, at, below + _HIGH, "pn-c-mark"))
        parts.append(text(middle, base, words, anchor="middle", css_class="pn-c-mark-name"))
    return parts, below


def _x_axis(x: Axis, left: float, bottom: float) -> list[str]:
    parts = [line(left, bottom, _RIGHT, bottom, "pn-c-axis")]
    taken = 0.0
    for value, label in x.ticks():
        at, half = x.at(value), words_width(label) / 2
        parts.append(line(at, bottom, at, bottom + 5, "pn-c-axis"))
        middle = min(at, WIDTH - half)
        if middle - half > taken:
            parts.append(text(middle, bottom + EM + 6, label, anchor="middle"))
            taken = middle + half + EM / 2
    return parts


def _limit(panel: Panel, y: Axis, left: float, lang: str) -> list[str]:
    if not panel.limit:
        return []
    at = y.at(panel.limit.spread.median)
    words = wrapped(f"{panel.limit.label[lang]}  {panel.limit.shown}", _RIGHT - left, 1)[0]
    return [
        line(left, at, _RIGHT, at, "pn-c-limit"),
        text(_RIGHT, at - 5, words, anchor="end", css_class="pn-c-limit-name"),
    ]


def _series(measures: tuple[Measure, ...], x: Axis, y: Axis, series: int) -> list[str]:
    points = sorted(
        (m.at, m.spread.median, m.spread.low, m.spread.high) for m in measures if m.at is not None
    )
    parts = []
    places = [(x.at(at), y.at(median)) for at, median, _, _ in points]
    colour = f"pn-c-line pn-c-{series + 1}"
    if len(places) > 1:
        parts.append(path(places, colour))
    for at, _, low, high in points:
        bottom, top = y.at(low), y.at(high)
        if bottom - top > 3:
            parts.append(line(x.at(at), bottom, x.at(at), top, f"pn-c-span pn-c-{series + 1}"))
    parts += [marker(px, py, series) for px, py in places]
    return parts
