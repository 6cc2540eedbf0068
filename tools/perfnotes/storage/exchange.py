"""Files of a folder exchanged for new ones: all of them, also where the process is killed.

The new files lie in a folder beside the place, and a journal there lists what is to be done before
anything is. Files are renamed one after the other. Whoever builds next finds the journal of a
process that was killed and does the rest. There may be thousands of files, so their paths are
strings: a Path takes longer than what the system does with it.
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
    """Put files of the folder ``new`` into ``place`` under the same names, and remove ``gone``.

    No signal is heard meanwhile. Where the system refuses one, what was done is undone, and the
    OSError is raised. Folders that hold nothing any more are removed.
    """
    old = new / ".old"
    there = []
    folders: dict[str, bool] = {}  # of the place: whether each was there
    for path in (*changed, *gone):
        folder = path.rpartition("/")[0]
        if folder not in folders:
            folders[folder] = os.path.isdir(f"{place}/{folder}")  # noqa: PTH112
            os.makedirs(f"{old}/{folder}", exist_ok=True)  # noqa: PTH103
            os.makedirs(f"{place}/{folder}", exist_ok=True)  # noqa: PTH103
        if folders[folder] and os.path.lexists(f"{place}/{path}"):
            link_or_copy(f"{place}/{path}", f"{old}/{path}")
            there.append(path)
    with SignalGuard():
        _write_journal(new, changed, gone)
        try:
            _exchange(place, new, changed, gone)
        except BaseException:
            for path in {*changed} - {*there}:
                (place / path).unlink(missing_ok=True)
            for path in there:
                (old / path).replace(place / path)
            (new / _JOURNAL).unlink()
            raise
        (new / _JOURNAL).unlink()
    _remove_empty(place, gone)


def complete(place: Path) -> None:
    """Do the rest of what killed processes began beside the folder ``place``, if there is one."""
    if not place.is_dir():
        return
    for new in sorted(place.parent.glob(f".{glob.escape(place.name)}.building-*")):
        with suppress(FileNotFoundError):
            if not (new / _JOURNAL).exists():
                continue
            lock = FolderLock.take(new)
            if lock is None:  # its process lives
                continue
            try:
                known = json.loads((new / _JOURNAL).read_bytes())
                changed = [path for path in known["changed"] if (new / path).exists()]
                with SignalGuard():
                    _exchange(place, new, changed, known["gone"])
                    (new / _JOURNAL).unlink()
                _remove_empty(place, known["gone"])
            finally:
                lock.release()


def _exchange(place: Path, new: Path, changed: Iterable[str], gone: Iterable[str]) -> None:
    for path in changed:
        os.replace(f"{new}/{path}", f"{place}/{path}")  # noqa: PTH105
    for path in gone:
        with suppress(FileNotFoundError):
            os.unlink(f"{place}/{path}")  # noqa: PTH108


def _write_journal(new: Path, changed: Collection[str], gone: Collection[str]) -> None:
    """Write down what is to be done: from now on it will be, by this process or by another."""
    half = new / f"{_JOURNAL}.half"
    with half.open("w", encoding="utf-8") as file:
        json.dump({"changed": [*changed], "gone": [*gone]}, file)
        file.flush()
        os.fsync(file.fileno())
    half.replace(new / _JOURNAL)


def _remove_empty(place: Path, gone: Iterable[str]) -> None:
    """Remove the folders, below ``place``, of files that are gone, where they hold nothing."""
    for parent in {path.rpartition("/")[0] for path in gone}:
        folder = parent
        while folder:
            try:
                os.rmdir(f"{place}/{folder}")  # noqa: PTH106
            except OSError:
                break
            folder = folder.rpartition("/")[0]
