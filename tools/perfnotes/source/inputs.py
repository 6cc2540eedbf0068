"""Hashes everything that a check depends on: the contents of notes, pages and settings.

Time stamps are not used, because a file can change twice within one tick of the clock, and a
checkout can give it an old time. The only exceptions are large files that no check looks into, such
as archives and pictures: they are identified by size, times and inode.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from msgspec import Struct

from perfnotes.source.read.walk import walk
from perfnotes.storage.digests import content_digest, digest
from perfnotes.text.source import LARGEST_FILE


class Inputs(Struct, frozen=True):
    """``files`` maps each file of the notes to its hash; ``frame`` is one hash of all else."""

    frame: str
    files: dict[str, str]

    @property
    def whole(self) -> str:
        """One hash of everything."""
        return digest(self.frame, *(part for file in self.files.items() for part in file))


def inputs_of(folder: Path, shown: str, *others: str | bytes) -> Inputs:
    """Hash all files below a folder of notes, which findings call ``shown``.

    ``others`` is everything else that a check depends on.
    """
    found = walk(folder, shown)
    paths = (*found.markdown, *found.others)
    files = {path: content_digest(file_content(f"{folder}/{path}")) for path in paths}
    return Inputs(digest(shown, *(str(f) for f in found.findings), *others), files)


def folder_digest(folder: Path, shown: str) -> str:
    """Return one hash of all files below a folder; ``shown`` is how findings name the folder."""
    files = walk(folder, shown)
    parts: list[str | bytes] = [shown, *(str(f) for f in files.findings)]
    for path in (*files.markdown, *files.others):
        parts += [path, file_content(f"{folder}/{path}")]
    return digest(*parts)


def file_content(file: Path | str) -> bytes:
    """Return the bytes that stand for a file in a hash.

    These are its content; for a large file its size, times and inode; or the error of reading it.
    An SVG is read whatever its size, because checks look into it.
    """
    # Not by pathlib, which would double the time. Every build reads all files.
    try:
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123
            status = os.fstat(opened.fileno())
            if stat.S_ISCHR(status.st_mode):
                return b"error device"  # /dev/zero never ends
            if status.st_size > LARGEST_FILE and not str(file).lower().endswith(".svg"):
                identity = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
                return f"large {identity}".encode()
            return b"= " + opened.readall()
    except OSError as error:
        return f"error {error.errno}".encode()
