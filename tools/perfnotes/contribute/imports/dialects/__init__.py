"""Dialects of Markdown, one module each.

A module has a docstring that names the dialect, and a step ``changes(page)``, which yields Changes
for the syntax that only this dialect has, except in code. If the dialect has a syntax of its own
for code, a step ``fences(page)`` turns that into fences. It runs first, so that others recognise
code.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType

from perfnotes.modules import modules_of


@cache
def dialects() -> tuple[ModuleType, ...]:
    """The modules of this folder, by name."""
    return tuple(modules_of(__name__).values())
