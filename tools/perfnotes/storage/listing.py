"""Sizes, times and inodes of all files below a folder, to see whether somebody changed one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from perfnotes.storage.digests import digest


class Listing:
    """The files below ``folder`` as they are now. A folder that cannot be read has none."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._files: dict[str, str] = {}  # what is compared, by path relative to the folder
        start = len(self._folder) + 1
        waiting = [self._folder]
        while waiting:
            try:
                with os.scandir(waiting.pop()) as inside:
                    for entry in inside:
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
                        else:
                            found = entry.stat(follow_symlinks=False)
                            self._files[entry.path[start:]] = _shown(found)
            except OSError:
                self._files = {}
                return

    def refresh(self, paths: Iterable[str]) -> None:
        """Look again at files, by relative path, that this process has written or removed."""
        for path in paths:
            try:
                self._files[path] = _shown(os.lstat(f"{self._folder}/{path}"))
            except OSError:
                self._files.pop(path, None)

    def size_of(self, path: str) -> int:
        """The bytes of a file of the folder. Raises KeyError if there is none."""
        return int(self._files[path].partition(" ")[0])

    @property
    def digest(self) -> str:
        """One hash of everything; that of a folder that cannot be read is empty."""
        if not self._files:
            return ""
        return digest("\0".join(part for pair in sorted(self._files.items()) for part in pair))


def _shown(found: os.stat_result) -> str:
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ino}"
