"""The parts of a comparison, one module for each sort of change.

A module here has a number ``PLACE``, which orders the parts by their weight for readers, and a
function ``compare(pair)`` that gives a ``Part``. Adding a part is adding a file.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from perfnotes.review.entry import Report
from perfnotes.review.pair import Pair


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules of this folder in the order of their places."""
    names = (m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    found = (import_module(f"{__name__}.{name}") for name in names)
    return tuple(sorted(found, key=lambda module: (module.PLACE, module.__name__)))


def report(pair: Pair) -> Report:
    """Everything that changed between two sides; a part without changes is left out."""
    found = (module.compare(pair) for module in modules())
    parts = tuple(part for part in found if part.entries or part.summary)
    return Report(pair.before.name, pair.after.name, parts)
