"""Writes the files of an import: all of them or none. No existing file is overwritten."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from perfnotes.storage.signal_guard import SignalGuard
from perfnotes.storage.write import FolderLock, NewFolder, remove, write_atomically

_LIST = "files.json"


class TakenError(Exception):
    """A file that would be written exists by now, or its folder lies outside of the notes."""


def place(notes: Path, files: Mapping[str, bytes]) -> None:
    """Write every file below ``notes``; an error or Ctrl-C leaves the folder as it was.

    All files are written to a hidden folder first, so that a full disk is found out early. A list
    of them beside lets ``recover`` undo the work of a killed process.
    """
    new = NewFolder(notes / ".import")
    undo: list[Callable[[], object]] = []
    try:
        staged = new.make()
        for i, data in enumerate(files.values()):
            (staged / str(i)).write_bytes(data)
        digests = {path: _digest(data) for path, data in files.items()}
        write_atomically(staged / _LIST, json.dumps(digests).encode())
        for i, path in enumerate(files):
            target = notes / path
            with SignalGuard():  # between a link and its entry in `undo`, Ctrl-C would leave a file
                _folders(notes, target.parent, undo)
                if not _is_inside(notes, target.parent):
                    raise TakenError(f"{path}: a symbolic link leads out of the notes")
                try:
                    os.link(staged / str(i), target)  # fails where the name is taken
                except FileExistsError:
                    raise TakenError(f"{path} is there already") from None
                undo.append(partial(target.unlink, missing_ok=True))
    except BaseException:
        with SignalGuard():
            for step in reversed(undo):
                step()
        raise
    finally:
        new.drop()


def recover(notes: Path) -> tuple[list[str], list[str]]:
    """Remove the files of a killed import, except those that were changed since.

    Returns the paths of the files that were removed, and of those that were kept.
    """
    removed: list[str] = []
    kept: list[str] = []
    for left in sorted(notes.glob("..import.building-*")):
        lock = FolderLock.take(left)
        if lock is None:
            continue  # another import is at work
        for i, (path, digest) in enumerate(_listed(left / _LIST).items()):
            target = notes / path
            if not target.is_file() or target.is_symlink():
                continue
            same = _digest(target.read_bytes()) == digest
            if same and target.samefile(left / str(i)):
                target.unlink()
                removed.append(path)
            else:
                kept.append(path)
        for path in removed:
            _drop_empty(notes, (notes / path).parent)
        remove(left)
        lock.release()
    return removed, kept


def _is_inside(notes: Path, folder: Path) -> bool:
    """Whether the folder lies below the notes when symbolic links are followed."""
    real = Path(os.path.realpath(notes))
    return Path(os.path.realpath(folder)).is_relative_to(real)


def _listed(file: Path) -> dict[str, str]:
    """The digests by path; empty if the process was killed before it placed a file."""
    return dict(json.loads(file.read_bytes())) if file.is_file() else {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _drop_empty(notes: Path, folder: Path) -> None:
    while folder != notes and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _folders(notes: Path, folder: Path, undo: list[Callable[[], object]]) -> None:
    """Make a folder and those above it, and add their removal to ``undo``."""
    if folder == notes or folder.is_dir():
        return
    _folders(notes, folder.parent, undo)
    folder.mkdir()
    undo.append(folder.rmdir)
