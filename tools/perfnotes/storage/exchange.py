"""Files of a folder exchanged for new ones: all of them, also where the process is killed.

The new files lie in a folder beside the place, and a journal there lists what is to be done before
anything is. Files are renamed one after the other. Whoever builds next finds the journal of a
process that was killed and does the rest.
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
    for path in (*changed, *gone):
        (old / path).parent.mkdir(parents=True, exist_ok=True)
        if (place / path).exists():
            link_or_copy(place / path, old / path)
            there.append(path)
        else:
            (place / path).parent.mkdir(parents=True, exist_ok=True)
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
        (new / path).replace(place / path)
    for path in gone:
        (place / path).unlink(missing_ok=True)


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
    for path in gone:
        folder = (place / path).parent
        while folder != place:
            try:
                folder.rmdir()
            except OSError:
                break
            folder = folder.parent
