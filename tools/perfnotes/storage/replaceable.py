"""Which folders a site may replace."""

from __future__ import annotations

from pathlib import Path

_ASSETS = "assets/perfnotes"  # the folder in a site that only we make


def is_replaceable(folder: Path) -> bool:
    """Whether a site may replace the folder: it is missing, empty, or holds a site that we built.

    A folder with a hidden entry at its top, such as ``.git``, is not replaced: no build makes one.
    """
    if not folder.exists():
        return True
    if not folder.is_dir():
        return False
    if any(folder.glob(".*")):
        return False
    has_assets = (folder / _ASSETS).is_dir()
    return has_assets or _names_assets(folder / "index.html") or not any(folder.iterdir())


def _names_assets(page: Path) -> bool:
    """Whether a page asks for our assets: then it is of a site whose assets somebody removed."""
    try:
        return f"{_ASSETS}/".encode() in page.read_bytes()
    except OSError:
        return False
