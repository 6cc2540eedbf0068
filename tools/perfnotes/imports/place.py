"""Files of an import on disk: all of them or none, and nothing is ever overwritten."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from perfnotes.write import NewFolder


class TakenError(Exception):
    """A file of that name appeared meanwhile."""


def place(notes: Path, files: Mapping[str, bytes]) -> None:
    """Write every file below ``notes``; an error or Ctrl-C leaves the folder as it was.

    All is written to a hidden folder first, so that a full disk shows before anything is placed.
    """
    new = NewFolder(notes / ".import")
    undo: list[Callable[[], object]] = []
    try:
        staged = new.make()
        for i, data in enumerate(files.values()):
            (staged / str(i)).write_bytes(data)
        for i, path in enumerate(files):
            target = notes / path
            _folders(notes, target.parent, undo)
            try:
                os.link(staged / str(i), target)  # fails where the name is taken
            except FileExistsError:
                raise TakenError(f"{path} is there already") from None
            undo.append(partial(target.unlink, missing_ok=True))
    except BaseException:
        for step in reversed(undo):
            step()
        raise
    finally:
        new.drop()


def _folders(notes: Path, folder: Path, undo: list[Callable[[], object]]) -> None:
    if folder == notes or folder.is_dir():
        return
    _folders(notes, folder.parent, undo)
    folder.mkdir()
    undo.append(folder.rmdir)
