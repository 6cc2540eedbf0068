"""Exchanges files of a folder for new ones: all of them, even if the process is killed meanwhile.

The new files lie in a folder beside the place. Before the first file is renamed, a journal in that
folder lists every step. The next build finds the journal of a killed process and does the rest.
There may be thousands of files, so their paths are strings: making a Path takes longer than the
system call that uses it.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from perfnotes.storage.signal_guard import SignalGuard
from perfnotes.storage.write import FolderLock, link_or_copy

_JOURNAL = ".journal"


def put_in_place(place: Path, new: Path, changed: Collection[str], gone: Collection[str]) -> None:
    """Move the files ``changed`` from the folder ``new`` to ``place``, and remove ``gone`` there.

    All paths are relative to the folders. Signals wait until this is done. If the system refuses a
    step, ``place`` gets its old files back and the OSError is raised. Folders that become empty are
    removed.
    """
    old = new / ".old"
    present = []
    folders: dict[str, bool] = {}  # by path below the place: whether it existed
    for path in (*changed, *gone):
        folder = path.rpartition("/")[0]
        if folder not in folders:
            folders[folder] = os.path.isdir(f"{place}/{folder}")  # noqa: PTH112
            os.makedirs(f"{old}/{folder}", exist_ok=True)  # noqa: PTH103
            os.makedirs(f"{place}/{folder}", exist_ok=True)  # noqa: PTH103
        if folders[folder] and os.path.lexists(f"{place}/{path}"):
            link_or_copy(f"{place}/{path}", f"{old}/{path}")
            present.append(path)
    with SignalGuard():
        _write_journal(new, changed, gone)
        try:
            _exchange(place, new, changed, gone)
        except BaseException:
            for path in {*changed} - {*present}:
                (place / path).unlink(missing_ok=True)
            for path in present:
                (old / path).replace(place / path)
            (new / _JOURNAL).unlink()
            raise
        (new / _JOURNAL).unlink()
    _remove_empty(place, gone)


def finish_interrupted(place: Path) -> None:
    """Do the rest of the exchanges in the folder ``place`` that killed processes began."""
    if not place.is_dir():
        return
    for new in sorted(place.parent.glob(f".{glob.escape(place.name)}.building-*")):
        with suppress(FileNotFoundError):
            if not (new / _JOURNAL).exists():
                continue
            lock = FolderLock.take(new)
            if lock is None:  # its process is still running
                continue
            try:
                steps = _read_journal(place, new)
                if steps is None:
                    continue
                changed, gone = steps
                with SignalGuard():
                    _exchange(place, new, changed, gone)
                    (new / _JOURNAL).unlink()
                _remove_empty(place, gone)
            finally:
                lock.release()


def _read_journal(place: Path, new: Path) -> tuple[list[str], list[str]] | None:
    """Return the files of the journal in ``new`` that are still to be moved, and those to remove.

    Returns None if perfnotes did not write the journal. A pull request can bring one, so every
    file has to lie below both folders, also where a folder on the way is a symbolic link.
    """
    try:
        journal = json.loads((new / _JOURNAL).read_bytes())
        changed, gone = list(journal["changed"]), list(journal["gone"])
        inside = all(
            (folder / path).parent.resolve().is_relative_to(folder.resolve())
            and Path(path).name not in ("", "..")
            for folder in (place, new)
            for path in (*changed, *gone)
        )
        waiting = [path for path in changed if os.path.lexists(new / path)]
        files = [new / path for path in waiting]
        are_files = all(file.is_file() and not file.is_symlink() for file in files)
    except (ValueError, KeyError, TypeError, RecursionError, OSError, RuntimeError):
        return None
    return (waiting, gone) if inside and are_files else None


def _exchange(place: Path, new: Path, changed: Iterable[str], gone: Iterable[str]) -> None:
    for path in changed:
        os.replace(f"{new}/{path}", f"{place}/{path}")  # noqa: PTH105
    for path in gone:
        with suppress(FileNotFoundError):
            os.unlink(f"{place}/{path}")  # noqa: PTH108


def _write_journal(new: Path, changed: Collection[str], gone: Collection[str]) -> None:
    """List all steps in a file. Once it is there, they are done, if need be by the next build."""
    half = new / f"{_JOURNAL}.half"
    with half.open("w", encoding="utf-8") as file:
        json.dump({"changed": [*changed], "gone": [*gone]}, file)
        file.flush()
        os.fsync(file.fileno())
    half.replace(new / _JOURNAL)


def _remove_empty(place: Path, gone: Iterable[str]) -> None:
    """Remove each folder below ``place`` that held a file of ``gone`` and is empty now."""
    for parent in {path.rpartition("/")[0] for path in gone}:
        folder = parent
        while folder:
            try:
                os.rmdir(f"{place}/{folder}")  # noqa: PTH106
            except OSError:
                break
            folder = folder.rpartition("/")[0]
