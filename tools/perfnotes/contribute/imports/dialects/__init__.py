"""Dialects of Markdown, one module each.

A module has a docstring that names the dialect and a function ``changes(page)``, a step: it yields
Changes for what only that house writes, and leaves code alone. Where a dialect writes code in a way
of its own, ``fences(page)`` yields those first, so that the other steps see code as such.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


@cache
def dialects() -> tuple[ModuleType, ...]:
    """The modules of this folder, by name."""
    names = sorted(m.name for m in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}") for name in names)
