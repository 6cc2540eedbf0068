"""The commands of ``perfnotes``, one module each.

A command module has a docstring whose first line is its help, an ``EXAMPLE``, a function
``arguments(parser)`` and a function ``run(options)`` that returns the exit status. The module
``search_eval`` is the command ``search-eval``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def names() -> list[str]:
    """Every command's name; nothing is imported."""
    found = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return [name.replace("_", "-") for name in found]


@cache
def command(name: str) -> ModuleType:
    """The module of one command."""
    return import_module(f"{__name__}.{name.replace('-', '_')}")


def commands() -> dict[str, ModuleType]:
    return {name: command(name) for name in names()}
