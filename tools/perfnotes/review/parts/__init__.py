"""The parts of a comparison, one module for each sort of change.

A module here has a number ``PLACE`` and a function ``compare(pair)`` that returns a ``ReportPart``.
The parts are sorted by ``PLACE``: what matters most to readers comes first.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType

from perfnotes.modules import modules_of
from perfnotes.review.entry import ReviewReport
from perfnotes.review.pair import Pair


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of the parts, sorted by ``PLACE``."""
    return tuple(
        sorted(modules_of(__name__).values(), key=lambda module: (module.PLACE, module.__name__))
    )


def report(pair: Pair) -> ReviewReport:
    """Compare the two sides. Parts without changes are left out."""
    found = (module.compare(pair) for module in modules())
    parts = tuple(part for part in found if part.entries or part.summary)
    return ReviewReport(pair.before.name, pair.after.name, parts)
