"""The sizes of pictures. With them a browser reserves the space before a picture has loaded.

Only pictures of our own notes are read: SVG by its ``viewBox``, PNG by its header.
"""

from __future__ import annotations

import re
from pathlib import Path

from perfnotes.model.library import Library

_HEAD = 4096  # number of bytes that are read from a file
_SVG = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_LENGTH = r"(\d{1,6}(?:\.\d*)?|\.\d+)"
_VIEW_BOX = re.compile(
    rf"\bviewBox\s*=\s*[\"']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+{_LENGTH}[\s,]+{_LENGTH}\s*[\"']"
)
_PNG = b"\x89PNG\r\n\x1a\n"


class PictureSizes:
    """The sizes of the pictures of one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[str, str] = {}

    def attributes(self, path: str) -> str:
        """Return a Markdown attribute list with the size of a picture; empty if it is unknown."""
        if not self._library.own:
            return ""
        if path not in self._known:
            size = _size(self._file(path))
            self._known[path] = (
                f"{{ width={size[0]} height={size[1]} loading=lazy }}" if size else ""
            )
        return self._known[path]

    def _file(self, path: str) -> Path | None:
        if path.startswith("docs/"):
            return self._library.page_assets.get(path.removeprefix("docs/"))
        return self._library.root / path.removeprefix("notes/")


def _size(file: Path | None) -> tuple[int, int] | None:
    """Return width and height in pixels; None if the file is missing or of another kind."""
    if file is None:
        return None
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return None  # a check reports missing files
    if head.startswith(_PNG) and len(head) >= 24:
        return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    root = _SVG.search(head.decode("utf-8", "replace"))
    box = _VIEW_BOX.search(root[0]) if root else None
    return (round(float(box[1])), round(float(box[2]))) if box else None
