"""Temporary folders, which last for one command.

Each folder is locked as long as its process lives. A folder without a lock was abandoned by a
killed process, and the next command that makes a temporary folder removes it.
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
    """Make an empty folder that only this user can read, and remove it when the context ends.

    It lies in ``base``, or in the system's folder for temporary files.
    """
    base = base or Path(tempfile.gettempdir())
    _remove_abandoned(base)
    made: list[tuple[Path, FolderLock]] = []
    try:
        with SignalGuard():  # so that no folder is made without being recorded in ``made``
            made.append(_make_locked_folder(base))
        yield made[0][0]
    finally:
        with SignalGuard():
            for folder, lock in made:
                remove(folder)
                lock.release()


def _make_locked_folder(base: Path) -> tuple[Path, FolderLock]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        # Until the folder is locked, another process may remove it as abandoned.
        with suppress(FileNotFoundError):
            lock = FolderLock.take(folder)
            if lock and folder.exists():
                return folder, lock
            if lock:
                lock.release()


def _remove_abandoned(base: Path) -> None:
    for folder in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode):
                continue
            lock = FolderLock.take(folder)
            if lock:
                remove(folder)
                lock.release()
