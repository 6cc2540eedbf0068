"""The parts of a comparison, one module for each sort of change.

A module here has a number ``PLACE`` and a function ``compare(pair)`` that returns a ``ReportPart``.
The parts are sorted by ``PLACE``: what matters most to readers comes first.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from perfnotes.review.entry import ReviewReport
from perfnotes.review.pair import Pair


@cache
def modules() -> tuple[ModuleType, ...]:
    """Returns the modules of the parts, sorted by ``PLACE``."""
    names = (m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    found = (import_module(f"{__name__}.{name}") for name in names)
    return tuple(sorted(found, key=lambda module: (module.PLACE, module.__name__)))


def report(pair: Pair) -> ReviewReport:
    """Compares the two sides. Parts without changes are left out."""
    found = (module.compare(pair) for module in modules())
    parts = tuple(part for part in found if part.entries or part.summary)
    return ReviewReport(pair.before.name, pair.after.name, parts)
