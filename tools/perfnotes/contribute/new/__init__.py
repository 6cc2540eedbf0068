"""Beginnings: a note, a lab, a reference, a term or a fact, right as it is first written.

One module for each kind. It has a docstring whose first line is its help, an ``EXAMPLE``, a
function ``arguments(parser)`` and a function ``planned(root, answers)`` that says what to write.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


@cache
def kinds() -> dict[str, ModuleType]:
    """The modules of this folder, by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return {name: import_module(f"{__name__}.{name}") for name in names}
