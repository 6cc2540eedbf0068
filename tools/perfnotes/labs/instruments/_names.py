"""Finding the function that a lab names among the functions that a tool lists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from perfnotes.labs.box import LabError

_WITH_FILE = re.compile(r"([^:\s]+):(?!:)(.+)", re.DOTALL)
_CLONE = re.compile(r"\.(?:constprop|isra|part|cold|lto_priv|llvm)\b")
Key = tuple[str, str]
"""A file ("" if unknown) and a function's name."""


def find(wanted: str, keys: Iterable[Key], tool: str) -> list[Key]:
    """All keys of the function that ``wanted`` names: ``function`` or ``file:function``.

    A C++ function may be named without its parameters if it has no overloads. ``LabError`` if
    several overloads have the name, or if no function has it; the message then gives similar names.
    """
    all_keys = list(keys)
    split = _WITH_FILE.fullmatch(wanted)
    file, name = (split[1], split[2]) if split else ("", wanted)
    there = [k for k in all_keys if not file or k[0] == file or k[0].endswith(f"/{file}")]
    if exact := [k for k in there if k[1] == name]:
        return exact
    overloads = [k for k in there if k[1].startswith(f"{name}(")]
    names = sorted({k[1] for k in overloads})
    if len(names) > 1:
        raise LabError(f"{wanted!r} names {len(names)} functions: {'; '.join(names[:5])}")
    if overloads:
        return overloads
    near = nearest(name, (k[1] for k in all_keys))
    hint = f" The nearest: {', '.join(near)}." if near else ""
    raise LabError(f"{tool} saw no function {wanted!r}: was it inlined, or never used?{hint}")


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to five known names that are similar to ``name``, the most similar first."""
    names = sorted({n for n in known if n and n != "???"})
    clones = [n for n in names if n.startswith(name) and _CLONE.match(n, len(name))]
    within = [n for n in names if len(name) > 3 and name.lower() in n.lower()]
    close = get_close_matches(name, names, n=5, cutoff=0.6)
    return list(dict.fromkeys([*clones, *close, *within]))[:5]
