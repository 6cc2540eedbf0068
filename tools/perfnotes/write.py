"""Writing: whole or not at all. Unchanged files stay untouched, so that nobody sees them change."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def write_atomically(file: Path, data: bytes) -> None:
    """Write beside ``file`` and rename: a reader sees the old text or the new."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(file)
    except BaseException:
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
    for base, folders, names in os.walk(folder, topdown=False):
        if not folders and not names and base != str(folder):
            Path(base).rmdir()
        elif base != str(folder) and not any(Path(base).iterdir()):
            Path(base).rmdir()
    written = 0
    for path, data in files.items():
        file = folder / path
        if path in present and file.stat().st_size == len(data) and file.read_bytes() == data:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, data)
        written += 1
    return written


def exchange(new: Path, place: Path) -> None:
    """Put the folder ``new`` at ``place`` in one step and drop what was there."""
    if place.exists():
        if _swap(new, place):
            remove(new)
            return
        old = place.with_name(f".{place.name}.old")
        remove(old)
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
        shutil.rmtree(folder)


def _swap(one: Path, other: Path) -> bool:
    """Linux's atomic exchange of two names; False where it is not to be had."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    done = renameat2(
        _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
    )
    return bool(done == 0)
