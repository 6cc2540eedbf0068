"""Writing: whole or not at all. Unchanged files stay untouched, so that nobody sees them change."""

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
    """Write beside ``file`` and rename: a reader sees the old text or the new.

    What a killed process left beside the file goes.
    """
    remove_half_written(file.parent, file.name)
    _write_and_rename(file, data)


def remove_half_written(folder: Path, name: str = "") -> None:
    """Remove what killed processes left of writing files in ``folder``, or the one file there."""
    for left in folder.glob(f".{glob.escape(name) or '*'}.*.tmp"):
        if not left.suffixes[-2][1:].isdecimal():
            continue  # somebody's own file
        with suppress(FileNotFoundError):
            lock = FolderLock.take(left)
            if lock:
                left.unlink()
                lock.release()


def _write_and_rename(file: Path, data: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        while True:
            with temporary.open("wb") as out:
                with suppress(OSError):  # where there are no locks
                    fcntl.flock(out, fcntl.LOCK_EX)  # as long as this process lives
                if not temporary.exists():
                    continue  # another process took it for a left one
                out.write(data)
                out.flush()
                temporary.replace(file)
                return
    except BaseException:
        with SignalGuard():
            temporary.unlink(missing_ok=True)
        raise


def put_tree(folder: Path, files: Mapping[str, bytes], keep: Collection[str] = ()) -> int:
    """Make ``folder`` hold exactly ``files`` (and ``keep``); the number of files written."""
    folder.mkdir(parents=True, exist_ok=True)
    present = {
        Path(base, name).relative_to(folder).as_posix()
        for base, _, names in os.walk(folder)
        for name in names
    }
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


def is_replaceable(folder: Path) -> bool:
    """Whether nothing is lost when a site takes the folder's place.

    A hidden file at the top of a site, such as ``.git``, did not come from us.
    """
    if not folder.exists():
        return True
    if not folder.is_dir():
        return False
    is_site = (folder / "assets" / "perfnotes").is_dir() and not any(folder.glob(".*"))
    return is_site or not any(folder.iterdir())


class FolderLock:
    """A lock on a folder, held by one process at a time. It leaves no file behind.

    Where the file system has no locks, everybody gets one.
    """

    def __init__(self, folder: Path, descriptor: int) -> None:
        self.folder = folder
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: Path) -> FolderLock | None:
        """The lock, or None where another process holds it."""
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
        """The lock, after ``say`` and the end of whoever holds it."""
        lock = cls.take(folder)
        if lock is None:
            say()
            descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            lock = cls(folder, descriptor)
        return lock

    def release(self) -> None:
        """Let the next one in; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class NewFolder:
    """An empty folder beside ``place`` that takes its place in one step, or is dropped.

    It is locked as long as its process lives, so that what a killed one left is known and removed
    by the next.
    """

    def __init__(self, place: Path) -> None:
        self._place = place.resolve()
        self._lock: FolderLock | None = None
        self.path: Path | None = None

    def make(self) -> Path:
        """Make the folder; ``drop`` removes it also when this is interrupted."""
        place = self._place
        place.parent.mkdir(parents=True, exist_ok=True)
        self.remove_left()
        for i in itertools.count():
            path = place.with_name(f".{place.name}.building-{os.getpid()}-{i}")
            with SignalGuard():  # a folder that is there is known
                self._lock = _made_and_locked(path)
                self.path = path if self._lock else None
            if self._lock:
                break
        if place.exists():
            path.chmod(place.stat().st_mode & 0o7777)
        return path

    def remove_left(self) -> None:
        """Remove the folders that killed processes left beside the place."""
        place = self._place
        for left in sorted(place.parent.glob(f".{glob.escape(place.name)}.building-*")):
            with suppress(FileNotFoundError):
                lock = FolderLock.take(left)
                if lock:
                    remove(left)
                    lock.release()

    def publish(self) -> None:
        """Put the folder at its place and drop what was there.

        Somebody who changes files in that place, which is locked then, is waited for.
        """
        assert self.path
        lock = FolderLock.wait(self._place, lambda: None) if self._place.is_dir() else None
        try:
            exchange(self.path, self._place)
        finally:
            if lock:
                lock.release()
        self.drop()

    def drop(self) -> None:
        """Remove the folder, if it was not published; no second Ctrl-C interrupts this."""
        with SignalGuard():
            if self.path:
                remove(self.path)
            if self._lock:
                self._lock.release()


def _made_and_locked(path: Path) -> FolderLock | None:
    """The lock of a new folder; None where there is one, or somebody took this for a left one."""
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


def second_name(file: Path | str, target: Path | str) -> None:
    """``target`` is the same file, or a copy where a file system has no second names."""
    try:
        os.link(file, target)
    except FileExistsError:
        raise
    except OSError:
        shutil.copyfile(file, target)


def exchange(new: Path, place: Path) -> None:
    """Put the folder ``new`` at ``place`` in one step and drop what was there."""
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
    """Remove a folder of ours, if it is there."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=_unless_gone)


def _unless_gone(function: Callable[..., Any], path: str, error: Any) -> None:
    del function, path
    if not isinstance(error[1], FileNotFoundError):  # another process removes it as well
        raise error[1]


def _swap(one: Path, other: Path) -> bool:
    """Linux's atomic exchange of two names; False where it is not to be had."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    done = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return bool(done == 0)
