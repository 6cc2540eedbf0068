"""Folders for the time of one command. One that a killed process left goes with the next.

Each is locked as long as its process lives, which tells the living from the dead.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from perfnotes.storage.signal_guard import SignalGuard
from perfnotes.storage.write import FolderLock, remove

_PREFIX = "perfnotes-for-now-"


@contextmanager
def temporary_folder(base: Path | None = None) -> Iterator[Path]:
    """An empty folder for this user alone, below ``base`` or where the system has such folders."""
    base = base or Path(tempfile.gettempdir())
    _remove_left(base)
    made: list[tuple[Path, FolderLock]] = []
    try:
        with SignalGuard():  # a folder that is there is known
            made.append(_made_and_locked(base))
        yield made[0][0]
    finally:
        with SignalGuard():
            for folder, lock in made:
                remove(folder)
                lock.release()


def _made_and_locked(base: Path) -> tuple[Path, FolderLock]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        # Until it is locked, another process may take it for a left one.
        with suppress(FileNotFoundError):
            lock = FolderLock.take(folder)
            if lock and folder.exists():
                return folder, lock
            if lock:
                lock.release()


def _remove_left(base: Path) -> None:
    for left in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = left.lstat()
            if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode):
                continue
            lock = FolderLock.take(left)
            if lock:
                remove(left)
                lock.release()
