"""Writes files and folders whole or not at all.

``put_tree`` does not touch files whose content stays the same, so their times of change stay too.
"""

from __future__ import annotations

import ctypes
import fcntl
import glob
import itertools
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from perfnotes.storage.signal_guard import SignalGuard

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def write_atomically(file: Path, data: bytes) -> None:
    """Write a temporary file beside ``file`` and rename it, so readers see the old or new content.

    Temporary files for ``file`` that a killed process left behind are removed.
    """
    remove_half_written(file.parent, file.name)
    _write_and_rename(file, data)


def remove_half_written(folder: Path, name: str = "") -> None:
    """Remove the temporary files that killed processes left in ``folder``.

    With ``name``, only those of the file with that name.
    """
    for temporary in folder.glob(f".{glob.escape(name) or '*'}.*.tmp"):
        if not temporary.suffixes[-2][1:].isdecimal():
            continue  # its name has no process id, so perfnotes did not write it
        with suppress(FileNotFoundError):
            lock = FolderLock.take(temporary)
            if lock:
                temporary.unlink()
                lock.release()


def _write_and_rename(file: Path, data: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        while True:
            with temporary.open("wb") as out:
                with suppress(OSError):  # some file systems have no locks
                    fcntl.flock(out, fcntl.LOCK_EX)  # the system unlocks it if this process dies
                if not temporary.exists():
                    continue  # another process removed it as abandoned, before it was locked
                out.write(data)
                out.flush()
                temporary.replace(file)
                return
    except BaseException as error:
        with SignalGuard():
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(file)  # the system names the temporary file, or none
        raise


def put_tree(folder: Path, files: Mapping[str, bytes], keep: Collection[str] = ()) -> int:
    """Make ``folder`` hold exactly ``files``, by relative path; return how many were written.

    Symbolic links in it are removed and not followed. Files named in ``keep`` stay. Files that
    already have the right content are not written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    present = set()
    for base, folders, names in os.walk(folder):
        links = [name for name in folders if Path(base, name).is_symlink()]
        present |= {Path(base, name).relative_to(folder).as_posix() for name in (*names, *links)}
    for link in [path for path in present if (folder / path).is_symlink()]:
        (folder / link).unlink()  # what is written below it would land elsewhere
        present.remove(link)
    for stale in present - files.keys() - set(keep):
        (folder / stale).unlink()
    for base, _, _ in os.walk(folder, topdown=False):
        if base != str(folder) and not any(Path(base).iterdir()):
            Path(base).rmdir()
    written = 0
    for path, data in files.items():
        file = folder / path
        if path in present and file.stat().st_size == len(data) and file.read_bytes() == data:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_and_rename(file, data)
        written += 1
    return written


class FolderLock:
    """A lock on a folder or file, held by one process at a time. It leaves no file behind.

    On file systems without locks, ``take`` always succeeds.
    """

    def __init__(self, folder: Path, descriptor: int) -> None:
        self.folder = folder
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: Path) -> FolderLock | None:
        """Return the lock, or None if another process holds it.

        Raises ``FileNotFoundError`` if ``folder`` does not exist.
        """
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            pass
        return cls(folder, descriptor)

    @classmethod
    def wait(cls, folder: Path, say: Callable[[], Any]) -> FolderLock:
        """Return the lock. If another process holds it, call ``say`` and wait until it is free."""
        lock = cls.take(folder)
        if lock is None:
            say()
            descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            lock = cls(folder, descriptor)
        return lock

    def release(self) -> None:
        """Give the lock back. A second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class NewFolder:
    """A folder that is filled beside ``place`` and then replaces ``place`` in one step.

    The folder is locked as long as its process lives. An unlocked one was abandoned by a killed
    process and is removed by the next.
    """

    def __init__(self, place: Path) -> None:
        self._place = place.resolve()
        self._lock: FolderLock | None = None
        self.path: Path | None = None

    def make(self) -> Path:
        """Make the folder and return its path. ``drop`` removes it even if this is interrupted."""
        place = self._place
        place.parent.mkdir(parents=True, exist_ok=True)
        self.remove_abandoned()
        for i in itertools.count():
            path = place.with_name(f".{place.name}.building-{os.getpid()}-{i}")
            with SignalGuard():  # so that no folder is made without being recorded in ``path``
                self._lock = _make_locked_folder(path)
                self.path = path if self._lock else None
            if self._lock:
                break
        if place.exists():
            path.chmod(place.stat().st_mode & 0o7777)
        return path

    def remove_abandoned(self) -> None:
        """Remove the folders that killed processes left beside the place."""
        place = self._place
        for folder in sorted(place.parent.glob(f".{glob.escape(place.name)}.building-*")):
            with suppress(FileNotFoundError):
                lock = FolderLock.take(folder)
                if lock:
                    remove(folder)
                    lock.release()

    def publish(self) -> None:
        """Put the folder at its place and remove the folder that was there.

        Waits until no other process holds the lock on that folder.
        """
        assert self.path
        lock = FolderLock.wait(self._place, lambda: None) if self._place.is_dir() else None
        try:
            replace_folder(self.path, self._place)
        finally:
            if lock:
                lock.release()
        self.drop()

    def drop(self) -> None:
        """Remove the folder if it was not published. A second Ctrl-C does not interrupt this."""
        with SignalGuard():
            if self.path:
                remove(self.path)
            if self._lock:
                self._lock.release()


def _make_locked_folder(path: Path) -> FolderLock | None:
    """Make a folder and return its lock.

    Returns None if ``path`` exists already, or if another process removed it as abandoned before
    it was locked.
    """
    try:
        path.mkdir()
    except FileExistsError:
        return None
    try:
        lock = FolderLock.take(path)
    except FileNotFoundError:
        return None
    if lock and not path.exists():
        lock.release()
        return None
    return lock


def link_or_copy(file: Path | str, target: Path | str) -> None:
    """Make ``target`` a hard link to ``file``, or a copy if the file system has no hard links.

    Raises ``FileExistsError`` if ``target`` exists.
    """
    try:
        os.link(file, target)
    except FileExistsError:
        raise
    except OSError:
        shutil.copyfile(file, target)


def replace_folder(new: Path, place: Path) -> None:
    """Move the folder ``new`` to ``place`` in one step and remove the folder that was there.

    If the system cannot exchange two folders, there are two steps: the old folder is renamed, then
    the new one. If the second fails, the old folder is put back.
    """
    if place.exists():
        if _swap(new, place):
            remove(new)
            return
        old = place.with_name(f".{place.name}.old")
        remove(old)
        with SignalGuard():
            place.rename(old)
            try:
                new.rename(place)
            except BaseException:
                old.rename(place)
                raise
        remove(old)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    new.rename(place)


def remove(folder: Path) -> None:
    """Remove a folder with all it holds, or a symbolic link alone. A missing folder is no error."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=_raise_unless_gone)


def _raise_unless_gone(function: Callable[..., Any], path: str, error: Any) -> None:
    del function, path
    if not isinstance(error[1], FileNotFoundError):  # another process may be removing it too
        raise error[1]


def _swap(one: Path, other: Path) -> bool:
    """Exchange two names atomically with Linux's ``renameat2``; return whether that worked."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    done = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return bool(done == 0)
