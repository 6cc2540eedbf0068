"""Where the templates, scripts and style sheets of the site are: beside the code that uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

THEME = Path(__file__).parent / "theme"

# Stands before the address of a file of the theme in ``Page.files``.
OF_THEME = "theme:"
_ASSETS = "assets/perfnotes/"
_EXPLORABLES = f"{_ASSETS}explorables/"
_EXPLORE = tuple(
    f"{_ASSETS}{name}" for name in ("explore.js", "explore.css", "typed.js", "typed.css")
)
# ``note.css`` joins what nearly every note needs, because each file of a page costs a request.
_OF_NOTES = ("note", "evidence", "plot", "map")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r"""("[^"]*"|'[^']*')""")
_RUN = re.compile(r"\s+")
# A blank on either side of a sign that separates, or behind a colon.
_BLANKS = re.compile(r"(?: ?([{};,]) ?|(?<=:) )")


def files_of_explorables(names: Sequence[str]) -> frozenset[str]:
    """Return what a page with these things to try needs of the theme, as its ``files``."""
    if not names:
        return frozenset()
    scripts = (f"{_EXPLORABLES}{name}.js" for name in names)
    return frozenset(f"{OF_THEME}{path}" for path in (*_EXPLORE, *scripts))


def is_on_demand(path: str) -> bool:
    """Return whether a file of the theme is shipped only if a page has it among its ``files``."""
    return path in _EXPLORE or path.startswith(_EXPLORABLES)


def style_sheets() -> Iterator[tuple[str, str]]:
    """Yield our style sheets that are shipped with every site, by address, without comments."""
    yield f"{_ASSETS}site.css", compact_sheet(THEME / "styles/site.css")
    for file in sorted((THEME / _ASSETS).glob("*.css")):
        address = file.relative_to(THEME).as_posix()
        parts = _OF_NOTES if file.stem == "note" else (file.stem,)
        if not is_on_demand(address):
            sheets = (compact_sheet(file.with_name(f"{part}.css")) for part in parts)
            yield address, "".join(sheets)


def compact_sheet(file: Path) -> str:
    """Return a style sheet of ours without comments and the blanks that mean nothing.

    Texts in quotes stay as they are. A blank before a colon stays too: in a selector it is the one
    between an element and a descendant of any name, as in ``p :first-child``.
    """
    return _compact(file.read_text("utf-8"))


@lru_cache(maxsize=100)
def _compact(sheet: str) -> str:
    parts = _STRING.split(_COMMENT.sub("", sheet).strip())
    for i in range(0, len(parts), 2):
        parts[i] = _BLANKS.sub(r"\1", _RUN.sub(" ", parts[i]))
    return f"{''.join(parts)}\n"
