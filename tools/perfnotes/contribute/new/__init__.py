"""``perfnotes new``: a new note, lab, reference, term or fact that passes the checks as written.

There is one module for each kind. It has a docstring whose first line is its help, an ``EXAMPLE``,
a function ``arguments(parser)`` and a function ``planned(root, answers)`` that returns a
``Beginning``: what to write below the project's folder ``root``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


@cache
def kinds() -> dict[str, ModuleType]:
    """Returns the module of each kind by the kind's name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return {name: import_module(f"{__name__}.{name}") for name in names}
