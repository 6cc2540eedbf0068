"""The commands of ``perfnotes``, one module each.

A command module has a docstring whose first line is its help, an ``EXAMPLE``, a function
``arguments(parser)`` and a function ``run(options)`` that returns the exit status. The module
``search_eval`` is the command ``search-eval``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType


@cache
def names() -> tuple[str, ...]:
    """The commands' names; nothing is imported for them."""
    found = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(name.replace("_", "-") for name in found)


def command(name: str) -> ModuleType:
    """The module of one command."""
    return import_module(f"{__name__}.{name.replace('-', '_')}")


@cache
def commands() -> dict[str, ModuleType]:
    return {name: command(name) for name in names()}


def summary(name: str) -> str:
    """The first line of a command's docstring, read without importing what it stands in."""
    file = Path(__path__[0]) / f"{name.replace('-', '_')}.py"
    with file.open(encoding="utf-8") as text:
        return text.readline().strip().strip('"').rstrip(".")
