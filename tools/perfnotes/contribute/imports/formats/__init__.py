"""Formats of notes, one module each.

A module has a docstring that names the format, ``ENDINGS`` (of file names, without the dot), a
function ``likely(text)`` that recognises the format if the ending does not decide, and
``read(path, text)``, which returns the front matter and the Markdown of a text.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from types import ModuleType

from perfnotes.contribute.imports.errors import FormatError
from perfnotes.modules import modules_of

# A text whose ending does not decide is read by the first of these that recognises it. Formats that
# are not listed are tried before them.
_ORDER = ("html", "ipynb", "mediawiki", "dokuwiki", "rst", "org", "markdown", "text")
# In a file called "Notes of v1.2 and on", what follows the last full stop is no ending.
_ENDING = re.compile(r"[a-z][a-z0-9]{0,9}")


@cache
def formats() -> dict[str, ModuleType]:
    """The modules of this folder by name, in the order in which they are tried."""
    found = modules_of(__name__)
    names = sorted(found, key=lambda name: _ORDER.index(name) if name in _ORDER else -1)
    return {name: found[name] for name in names}


@cache
def endings() -> frozenset[str]:
    """Every ending that some format reads."""
    return frozenset(e for m in formats().values() for e in m.ENDINGS)


def recognise(path: str, text: str) -> tuple[str, str]:
    """The name of a text's format, and the reason if that was a guess.

    Raises FormatError if the ending is that of a format which no module reads.
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
