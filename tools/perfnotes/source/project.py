"""Finds the folders that a command works on."""

from __future__ import annotations

import os
from pathlib import Path

from perfnotes.storage.seal import user_cache
from perfnotes.text.printable import one_line


class UsageError(Exception):
    """Wrong use or broken configuration; the message says how to mend it."""


def project_root() -> Path:
    """Return the folder that has ``mkdocs.yml`` and ``notes/``.

    It is the current folder or the nearest one above. Raises ``UsageError`` if there is none: with
    any other project, such as the clone that this code runs from, a command would write where the
    user does not look.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file() and (folder / "notes").is_dir():
            return folder
    raise UsageError(
        "no mkdocs.yml and notes/ here or above: run this inside a clone of perfnotes or a project "
        "of your own; commands with the option --notes take any folder of Markdown"
    )


def root_for(notes: Path | None) -> Path:
    """Return the folder of the settings and the cache with which ``notes`` are read.

    That is ``project_root``. Where there is none, a folder of notes given by ``--notes`` gets one
    below the user's own cache, with settings that change nothing. Raises ``UsageError`` if there is
    no project and no folder was given, and ``OSError`` if that cache cannot be written.
    """
    try:
        return project_root()
    except UsageError:
        if notes is None:
            raise
    folder = user_cache() / "without-project"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = folder / "mkdocs.yml"
    if not settings.is_file():
        settings.write_text("site_name: notes\n", encoding="utf-8")
    return folder


def notes_folder(given: str | None) -> Path | None:
    """Return the folder given by ``--notes``, or None, which stands for the project's own notes.

    Raises ``UsageError`` if it is no folder, or one that this user cannot read, or if its path is
    not UTF-8: pages and findings name it.
    """
    if given is None:
        return None
    try:
        given.encode()
    except UnicodeEncodeError:  # Python reads a byte that it cannot decode as half of a pair
        raise UsageError(
            f"{one_line(given)} is not UTF-8 (rename the folder; if it is UTF-8, set PYTHONUTF8=1)"
        ) from None
    folder = Path(given)
    if not folder.is_dir():
        raise UsageError(f"{given} is no folder")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise UsageError(f"{given} cannot be read: its permissions forbid it")
    return folder
