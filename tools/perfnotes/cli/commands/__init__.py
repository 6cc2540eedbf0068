"""The commands of ``perfnotes``, one module each.

A command module has a docstring whose first line is its help, an ``EXAMPLE``, a function
``arguments(parser)`` and a function ``run(options)`` that returns the exit status. The module
``search_eval`` is the command ``search-eval``; ``import_``, a keyword of Python, is ``import``.
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
    return tuple(sorted(_modules()))


def command(name: str) -> ModuleType:
    """The module of one command."""
    return import_module(f"{__name__}.{_modules()[name]}")


@cache
def commands() -> dict[str, ModuleType]:
    return {name: command(name) for name in names()}


def summary(name: str) -> str:
    """The first line of a command's docstring, read without importing what it stands in."""
    with (Path(__path__[0]) / f"{_modules()[name]}.py").open(encoding="utf-8") as text:
        return text.readline().strip().strip('"').rstrip(".")


@cache
def _modules() -> dict[str, str]:
    """By name; a name that Python keeps for itself has ``_`` behind it (``import_``)."""
    found = (m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return {name.rstrip("_").replace("_", "-"): name for name in found}
