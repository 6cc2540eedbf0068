"""What can be mended without a thought, one module for each kind of mending.

A module here has ``MENDS``, which says for each code what is done, and ``find(site)``, which yields
the Repairs. A mending is mechanical where there is one right text and the rest of the sentence
stays true: another case, an old name, the digits that were recorded. A guess is none. Adding a
mending is adding a file.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules of this folder, by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(import_module(f"{__name__}.{name}") for name in names)


@cache
def mends() -> dict[str, str]:
    """By code what ``perfnotes fix`` does, in a sentence."""
    return {code: text for module in modules() for code, text in module.MENDS.items()}
