"""The commands of ``perfnotes``, one module each.

A command module has a docstring whose first line is its help, an ``EXAMPLE``, a function
``arguments(parser)`` and a function ``run(options)`` that returns the exit status. The module
``search_eval`` is the command ``search-eval``; ``import_``, a keyword of Python, is ``import``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


@cache
def commands() -> dict[str, ModuleType]:
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return {n.rstrip("_").replace("_", "-"): import_module(f"{__name__}.{n}") for n in names}
