"""Applying changes on disk: all of them or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from perfnotes.fixes.mend import encoded_like
from perfnotes.fixes.move.changes import Changes, MoveError, edited
from perfnotes.storage.signal_guard import SignalGuard
from perfnotes.storage.write import write_atomically
from perfnotes.text.source import decode


def new_files(root: Path, changes: Changes) -> dict[str, tuple[bytes, bytes]]:
    """The contents of each edited file before and after, by its present path.

    Raises ``MoveError`` if a file is not UTF-8 text or if edits overlap.
    """
    found = {}
    for path, edits in changes.edits.items():
        old = (root / path).read_bytes()
        source, findings = decode(old, path)
        if source is None:
            raise MoveError(str(findings[0]))
        found[path] = (old, encoded_like(old, edited(source.text, edits)))
    return found


def apply(root: Path, changes: Changes, files: dict[str, tuple[bytes, bytes]]) -> None:
    """Write the edited files, move files and add new ones; an error or Ctrl-C undoes everything.

    ``files`` is what ``new_files`` returned. Raises ``MoveError`` if a file has changed since then,
    or if a new path exists already.
    """
    undo: list[Callable[[], object]] = []
    try:
        for path, (old, new) in files.items():
            file = root / path
            if file.read_bytes() != old:
                raise MoveError(f"{path} changed meanwhile; run the command again")
            undo.append(partial(write_atomically, file, old))
            write_atomically(file, new)
        for a, b in changes.moves.items():
            _move(root / a, root / b, undo)
        for path, text in changes.created.items():
            _create(root / path, text, undo)
    except BaseException:
        with SignalGuard():
            for step in reversed(undo):
                step()
        raise
    for a in changes.moves:
        with suppress(OSError):  # removes the folder of a topic that has no notes left
            (root / a).parent.rmdir()


def _move(old: Path, new: Path, undo: list[Callable[[], object]]) -> None:
    if new.exists():
        raise MoveError(f"{new} is there already")
    with SignalGuard():  # an interruption cannot come between a step and its entry in undo
        _make_folder(new.parent, undo)
        old.rename(new)
        undo.append(lambda: new.rename(old))


def _create(file: Path, text: str, undo: list[Callable[[], object]]) -> None:
    if os.path.lexists(file):
        raise MoveError(f"{file} is there already")
    with SignalGuard():
        _make_folder(file.parent, undo)
    undo.append(partial(file.unlink, missing_ok=True))
    write_atomically(file, text.encode())


def _make_folder(folder: Path, undo: list[Callable[[], object]]) -> None:
    if not folder.exists():
        _make_folder(folder.parent, undo)
        folder.mkdir()
        undo.append(folder.rmdir)


def copy_project(root: Path, target: Path) -> None:
    """Copy the folders that a renaming may change from ``root`` to ``target``."""
    for name in ("notes", "docs", "tests/search"):
        if (root / name).is_dir():
            shutil.copytree(root / name, target / name, ignore=_not_copied, symlinks=True)
    for folder, _, _ in os.walk(target):
        os.chmod(folder, 0o700)  # noqa: PTH101 - the copy is changed and removed, also of read-only notes


def _not_copied(folder: str, names: list[str]) -> set[str]:
    """Return what a copy of the notes needs not: hidden files, caches, pipes and devices."""
    paths = {name: Path(folder, name) for name in names}
    return {
        name
        for name, path in paths.items()
        if name.startswith(".")
        or name == "__pycache__"
        or not (path.is_symlink() or path.is_dir() or path.is_file())
    }
