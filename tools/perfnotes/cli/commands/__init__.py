"""The commands of ``perfnotes``, one module each.

A command module has a docstring whose first line is its help, an ``EXAMPLE``, a function
``arguments(parser)`` and a function ``run(options)`` that returns the exit status. The module
``search_eval`` is the command ``search-eval``; ``import_``, a keyword of Python, is ``import``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from perfnotes.modules import module_names


@cache
def names() -> tuple[str, ...]:
    """Return the names of the commands, sorted, without importing their modules."""
    return tuple(sorted(_modules()))


def command(name: str) -> ModuleType:
    """Return the module of the command ``name``; ``KeyError`` if there is none."""
    return import_module(f"{__name__}.{_modules()[name]}")


@cache
def commands() -> dict[str, ModuleType]:
    """Return the module of each command by the command's name."""
    return {name: command(name) for name in names()}


def summary(name: str) -> str:
    """Return the first line of a command's docstring, without importing the command's module."""
    with (Path(__path__[0]) / f"{_modules()[name]}.py").open(encoding="utf-8") as text:
        return text.readline().strip().strip('"').rstrip(".")


@cache
def _modules() -> dict[str, str]:
    """Return the module names by command name: ``import_`` for ``import``."""
    return {name.rstrip("_").replace("_", "-"): name for name in module_names(__name__)}
