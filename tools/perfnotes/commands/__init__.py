"""The commands of ``perfnotes``, one module each.

A command module has a docstring whose first line is its help, an ``EXAMPLE``, a function
``arguments(parser)`` and a function ``run(options)`` that returns the exit status. The module
``search_eval`` is the command ``search-eval``.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def names() -> list[str]:
    """The commands as users type them."""
    modules = (m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return sorted(name.replace("_", "-") for name in modules)


def commands(wanted: Iterable[str] | None = None) -> dict[str, ModuleType]:
    """The modules of the commands that are wanted, or of all."""
    return {
        name: import_module(f"{__name__}.{name.replace('-', '_')}")
        for name in (names() if wanted is None else wanted)
    }
