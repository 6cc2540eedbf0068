"""Rows: the layout of the kinds that draw a row for each point, with words above each row."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from perfnotes.plots.axis import Axis
from perfnotes.plots.data import Measure, Panel, PlotData
from perfnotes.plots.dots import LEFT, RIGHT, ticks_of
from perfnotes.plots.shapes import (
    EM,
    LINE_HEIGHT,
    Area,
    Drawing,
    line,
    text,
    words_width,
    wrapped,
)

_GAP = 9


class Rows(Struct):
    """The rows of one panel, drawn from top to bottom.

    ``track`` is the height of a row without its words, in units of the drawing. ``y`` is where the
    next row begins. ``word_areas`` are the areas that the words of the rows cover.
    """

    data: PlotData
    panel: Panel
    lang: str
    track: float
    y: float = 0.0
    shapes: list[str] = field(default_factory=list)
    word_areas: list[Area] = field(default_factory=list)

    def draw(self, axis: Axis, row: Callable[[Measure, float, int], None], *, ticks: bool) -> None:
        """Draw all rows; ``row(measure, middle, series)`` draws one.

        ``middle`` is the y coordinate of the middle of the row's track, ``series`` the number of
        its series. Behind the rows come the axis, if ``ticks``, and the limit: lines in the track
        of each row, not behind words.
        """
        self._limit_words(axis)
        behind: list[str] = []
        tracks: list[float] = []
        above, self.shapes = self.shapes, []
        for i, group in enumerate(self.panel.groups):
            if group.name:
                self._series_name(group.name[self.lang], first=i == 0)
            for measure in group.measures:
                self._words(measure)
                row(measure, self.y + self.track / 2, i)
                tracks.append(self.y)
                self.y += self.track + _GAP
        if ticks:
            ends = [*(y + self.track + 2 for y in tracks[:-1]), self.y - _GAP / 2]
            rises = list(zip((y - 2 for y in tracks), ends, strict=True))
            behind += ticks_of(axis, self.y - _GAP / 2, rises)
        if self.panel.limit:
            at = axis.at(self.panel.limit.spread.median)
            behind += [line(at, y - 2, at, y + self.track + 2, "pn-c-limit") for y in tracks]
        self.shapes = [*above, *behind, *self.shapes]
        if ticks:
            self.y += LINE_HEIGHT + 4

    def drawing(self) -> Drawing:
        return Drawing("".join(self.shapes), self.y)

    def _limit_words(self, axis: Axis) -> None:
        limit = self.panel.limit
        if not limit:
            return
        words = f"{limit.label[self.lang]}  {limit.shown}"
        for each in wrapped(words, RIGHT - LEFT, 2):
            at, half = axis.at(limit.spread.median), words_width(each) / 2
            x = min(max(at, LEFT + half), RIGHT - half)
            self.shapes.append(
                text(x, self.y + EM, each, anchor="middle", css_class="pn-c-limit-name")
            )
            self.y += LINE_HEIGHT
        self.y += 3

    def _series_name(self, words: str, *, first: bool) -> None:
        self.y += 0 if first else 6
        for each in wrapped(words, RIGHT - LEFT, 2):
            self.shapes.append(text(LEFT, self.y + EM, each, css_class="pn-c-name"))
            self.y += LINE_HEIGHT
        self.y += 3

    def _words(self, measure: Measure) -> None:
        value = measure.shown
        room = RIGHT - LEFT - words_width(value) - EM
        for i, each in enumerate(wrapped(measure.label[self.lang], room)):
            self.shapes.append(text(LEFT, self.y + EM, each, css_class="pn-c-label"))
            self._keep_free(LEFT, LEFT + words_width(each))
            if not i:
                self.shapes.append(
                    text(RIGHT, self.y + EM, value, anchor="end", css_class="pn-c-value")
                )
                self._keep_free(RIGHT - words_width(value), RIGHT)
            self.y += LINE_HEIGHT
        self.y += 2

    def _keep_free(self, left: float, right: float) -> None:
        self.word_areas.append(Area(left - 2, self.y + 3, right + 2, self.y + LINE_HEIGHT))
