"""Repairs that need no decision by a person, one module for each kind.

Each module has ``MENDS``, which says for each code of a check what the repair does, and
``find(site)``, which yields the Repairs. A repair belongs here if there is only one right text and
the sentence around it stays true: upper or lower case, an old name, the recorded digits. A guess
does not. To add a kind of repair, add a file.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType

from perfnotes.modules import modules_of


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules with repairs, sorted by name."""
    return tuple(modules_of(__name__).values())


@cache
def mends() -> dict[str, str]:
    """What ``perfnotes fix`` does, by code, as the end of a sentence."""
    return {code: text for module in modules() for code, text in module.MENDS.items()}
