"""Where the templates, scripts and style sheets of the site are: beside the code that uses them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

THEME = Path(__file__).parent / "theme"

# Before the address of a file of the theme in ``Page.files``.
OF_THEME = "theme:"
_EXPLORE = tuple(f"assets/perfnotes/{name}" for name in ("explore.js", "explore.css", "typed.js"))
_EXPLORABLES = "assets/perfnotes/explorables/"


def files_of_explorables(names: Sequence[str]) -> frozenset[str]:
    """Return what a page with these things to try needs of the theme, as its ``files``."""
    if not names:
        return frozenset()
    scripts = (f"{_EXPLORABLES}{name}.js" for name in names)
    return frozenset(f"{OF_THEME}{path}" for path in (*_EXPLORE, *scripts))


def is_on_demand(path: str) -> bool:
    """Return whether a file of the theme is shipped only where a page names it as its own."""
    return path in _EXPLORE or path.startswith(_EXPLORABLES)
