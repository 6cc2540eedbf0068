"""Finds the note that somebody names on a command line: by its id, its slug or a path."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from perfnotes.text.nearest import nearest

_END = re.compile(r"(?:/index)?(?:\.zh)?\.(?:md|review\.yml)\Z|/lab(?:/lab\.yml)?\Z")


def notes_named(name: str, ids: Collection[str], notes: Path) -> list[str]:
    """Return those of the ``ids`` that ``name`` may mean, sorted; several only for a shared slug.

    ``name`` is an id (``topic/slug``), the slug alone, or the path of a note, its translation, its
    folder or its lab. A path is relative to the working directory or begins with ``notes/``.
    ``notes`` is the notes folder.
    """
    id = _without_path(name, notes)
    return [id] if id in ids else sorted(i for i in ids if i.partition("/")[2] == id)


def several_notes(name: str, found: Iterable[str]) -> str:
    """Return the message that ``name`` is the slug of several notes."""
    return f"{name!r} may be {' or '.join(found)}: write the whole id"


def nearest_note(name: str, ids: Collection[str], notes: Path) -> str | None:
    """Return the id or slug that a misspelt name is most like, or None."""
    id = _without_path(name, notes)
    return nearest(id, ids if "/" in id else {*ids, *(i.partition("/")[2] for i in ids)}, 0.6)


def _without_path(name: str, notes: Path) -> str:
    """Return the id in a path, or ``name`` itself if it is no path."""
    try:
        where = ".."
        if Path(name).exists():
            where = os.path.relpath(os.path.realpath(name), os.path.realpath(notes))
    except (OSError, ValueError):  # such as a name with a null character
        where = ".."
    if where.partition("/")[0] in ("..", "."):
        where = name.removeprefix("./").removeprefix("notes/").rstrip("/")
    return _END.sub("", where)
