"""Files that a note links to: they are found in the imported folder and checked before copying."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import unicodedata
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from msgspec import Struct

from perfnotes.graph.published import unpublished
from perfnotes.text.svg import svg_problem

LARGEST = 5 * 1024 * 1024  # bytes of one file; every reader of the page has to load it
PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "ico", "apng")
_SIGNS = {
    "png": (b"\x89PNG\r\n\x1a\n",), "apng": (b"\x89PNG\r\n\x1a\n",), "jpg": (b"\xff\xd8\xff",),
    "jpeg": (b"\xff\xd8\xff",), "gif": (b"GIF87a", b"GIF89a"), "bmp": (b"BM",),
    "ico": (b"\x00\x00\x01\x00",), "pdf": (b"%PDF",), "webp": (b"RIFF",),
}  # fmt: skip
_DATA = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,", re.IGNORECASE)
# Folders in which site generators and other programs keep the files that pages link to.
_FILE_FOLDERS = ("static", "assets", "public", "source", "content", "docs", "images", "attachments")


class Asset(Struct, frozen=True):
    """A file that is written into the folder of a note."""

    name: str
    data: bytes


class AssetError(ValueError):
    """The file cannot be imported; the message says why."""


class Assets:
    """All files below the root of an import, findable by path and by name, ignoring case."""

    def __init__(self, root: Path, files: tuple[str, ...]) -> None:
        self.root = root
        self.real_root = Path(os.path.realpath(root))
        self.files = {_key(f): f for f in files}
        self.by_name: dict[str, list[str]] = {}
        for file in files:
            self.by_name.setdefault(_key(PurePosixPath(file).name), []).append(file)

    def find(self, address: str, folder: str) -> str:
        """The file that an address means in a note of ``folder``, or an empty string.

        The address is tried relative to ``folder``, then to the root and to the folders in which
        site generators keep files. Otherwise the file whose path ends with it is meant, if there is
        only one.
        """
        path = unquote(address.partition("#")[0].partition("?")[0]).replace("\\", "/").strip()
        if not path or "\0" in path:
            return ""
        joined = os.path.normpath(f"{folder}/{path}" if folder else path)
        found = self.files.get(_key(joined)) if not path.startswith("/") else None
        if found:
            return found
        bare = path.lstrip("./")
        for base in ("", *(f"{b}/" for b in _FILE_FOLDERS)):
            if file := self.files.get(_key(base + bare)):
                return file
        named = self.by_name.get(_key(PurePosixPath(bare).name), [])
        ending = [f for f in named if f"/{_key(f)}".endswith(f"/{_key(bare)}")]
        return ending[0] if len(ending) == 1 else ""

    def leads_outside(self, address: str, folder: str) -> bool:
        """Whether a relative address leads out of the root."""
        path = unquote(address.partition("#")[0].partition("?")[0]).replace("\\", "/")
        return os.path.normpath(f"{folder or '.'}/{path}").startswith("..")

    def load(self, file: str) -> bytes:
        """The bytes of a file; ``AssetError`` if it must not be imported or cannot be read.

        ``file`` is one of ``files``.
        """
        path = self.root / file
        if self.real_root not in Path(os.path.realpath(path)).parents:
            raise AssetError("a symbolic link leads out of the imported folder")
        suffix = PurePosixPath(file).suffix.lstrip(".").lower()
        if not suffix:
            raise AssetError("its name has no ending, so nothing says of which type it is")
        if refused := unpublished(PurePosixPath(file).name):
            raise AssetError(f"files of type {refused!r} are not published")
        try:
            size = path.stat().st_size
            if size > LARGEST:
                raise AssetError(f"it has {size:,} bytes, more than the {LARGEST:,} allowed")
            data = path.read_bytes()
        except OSError as error:
            raise AssetError(f"it cannot be read: {error.strerror}") from error
        check_content(data, suffix)
        return data


def check_content(data: bytes, suffix: str) -> None:
    """Raise ``AssetError`` if bytes are of another type than ``suffix``, or an SVG is unsafe."""
    if suffix == "svg":
        problem = svg_problem(data)
        if problem:
            raise AssetError(f"line {problem[0]} of the SVG: {problem[1]}")
    signs = _SIGNS.get(suffix)
    if signs and not data.startswith(signs):
        raise AssetError(f"its bytes are not those of a {suffix} file")


def from_data_address(address: str) -> Asset | None:
    """The picture in a ``data:`` address, or None if it holds no picture of a known type.

    Raises ``AssetError`` if the picture must not be imported.
    """
    found = _DATA.match(address)
    if not found:
        return None
    suffix = {"jpeg": "jpg", "svg+xml": "svg"}.get(found[1].lower(), found[1].lower())
    try:
        data = base64.b64decode(unquote(address[found.end() :]), validate=False)
    except (binascii.Error, ValueError) as error:
        raise AssetError("its base64 is broken") from error
    if len(data) > LARGEST:
        raise AssetError(f"it has {len(data):,} bytes, more than the {LARGEST:,} allowed")
    check_content(data, suffix)
    return Asset(f"picture-{hashlib.sha256(data).hexdigest()[:8]}.{suffix}", data)


def plain_name(file: str, taken: set[str]) -> str:
    """A file's name in lower case letters, digits and hyphens; not one of those in ``taken``."""
    pure = PurePosixPath(file)
    words = unicodedata.normalize("NFKD", pure.stem).casefold()
    parts = re.findall(r"[a-z0-9]+", "".join(c for c in words if not unicodedata.combining(c)))
    stem = "-".join(parts)[:60].strip("-")
    if len(stem) < 2 or stem in ("index", "lab"):
        digest = hashlib.sha256(file.encode("utf-8", "replace")).hexdigest()[:8]
        stem = f"file-{digest}"
    suffix = pure.suffix.lower()
    name, n = f"{stem}{suffix}", 1
    while name in taken:
        n += 1
        name = f"{stem}-{n}{suffix}"
    return name


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold().removeprefix("./")
