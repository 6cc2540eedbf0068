"""Formats of notes, one module each.

A module has a docstring that names the format, ``ENDINGS`` (of file names, without the dot), a
function ``likely(text)`` that recognises it where the ending says nothing, and
``read(path, text)``, which gives the front matter and the Markdown of a text.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from pkgutil import iter_modules
from types import ModuleType

from perfnotes.contribute.imports.errors import FormatError

# Of a text whose ending says nothing, the first that recognises it.
_ORDER = ("html", "ipynb", "mediawiki", "dokuwiki", "rst", "org", "markdown", "text")
# What follows the last full stop of "Notes of v1.2 and on" is no ending.
_ENDING = re.compile(r"[a-z][a-z0-9]{0,9}")


@cache
def formats() -> dict[str, ModuleType]:
    """The modules of this folder by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    names.sort(key=lambda n: _ORDER.index(n) if n in _ORDER else -1)
    return {name: import_module(f"{__name__}.{name}") for name in names}


@cache
def endings() -> frozenset[str]:
    """Every ending that some format reads."""
    return frozenset(e for m in formats().values() for e in m.ENDINGS)


def recognise(path: str, text: str) -> tuple[str, str]:
    """The name of a text's format, and why where that was a guess.

    Raises FormatError where the ending is one of a format that nothing here reads.
    """
    ending = PurePosixPath(path).suffix.lstrip(".").lower()
    own = [name for name, m in formats().items() if ending in m.ENDINGS]
    if not own and _ENDING.fullmatch(ending):
        raise FormatError(
            f"no reader for .{ending} (convert it to Markdown, or name its format with --from)"
        )
    if len(own) == 1:
        return own[0], ""
    for name, module in formats().items():
        if (not own or name in own) and module.likely(text):
            return name, "" if name == "text" else f"it looks like {name}"
    return "text", ""
