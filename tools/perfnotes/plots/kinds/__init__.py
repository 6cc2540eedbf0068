"""The kinds of plots, one module for each. ``lab.yml`` names a kind by its module's name.

A module has ``draw(data, panel, lang)``, which returns the drawing of one machine's panel, and
``AXIS``, which says whether the plot's points lie on an x axis. To add a kind, add a file.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol, cast

from perfnotes.modules import modules_of
from perfnotes.plots.data import Panel, PlotData
from perfnotes.plots.shapes import Drawing


class Kind(Protocol):
    """What a module of this package offers."""

    AXIS: bool

    @staticmethod
    def draw(data: PlotData, panel: Panel, lang: str) -> Drawing: ...


@cache
def kinds() -> dict[str, Kind]:
    """Return every kind by its name."""
    return cast("dict[str, Kind]", modules_of(__name__))
