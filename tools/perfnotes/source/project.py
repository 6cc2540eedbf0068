"""Finds the folders that a command works on."""

from __future__ import annotations

from pathlib import Path


class UsageError(Exception):
    """Wrong use or broken configuration; the message says how to mend it."""


def project_root() -> Path:
    """Return the folder that has ``mkdocs.yml`` and ``notes/``.

    It is the current folder, the nearest one above, or the clone that this code runs from. Raises
    ``UsageError`` if there is none.
    """
    here = Path.cwd()
    own = Path(__file__).resolve().parents[3]
    for folder in (here, *here.parents, own):
        if (folder / "mkdocs.yml").is_file() and (folder / "notes").is_dir():
            return folder
    raise UsageError("no mkdocs.yml and notes/ here or above: run this inside a clone of perfnotes")


def notes_folder(given: str | None) -> Path | None:
    """Return the folder given by ``--notes``, or None, which stands for the project's own notes.

    Raises ``UsageError`` if it is no folder.
    """
    if given is None:
        return None
    folder = Path(given)
    if not folder.is_dir():
        raise UsageError(f"{given} is no folder")
    return folder
