"""The modules of a folder in which each module adds one thing, such as a check or a page kind.

To add one, add a file: nobody lists them. A module whose name begins with ``_`` adds nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def module_names(package: str) -> list[str]:
    """Return the names of the modules in the package, sorted, without importing them."""
    path = sys.modules[package].__path__
    return sorted(m.name for m in iter_modules(path) if not m.name.startswith("_"))


def modules_of(package: str) -> dict[str, ModuleType]:
    """Return the modules in the package by name, sorted by name."""
    return {name: import_module(f"{package}.{name}") for name in module_names(package)}
