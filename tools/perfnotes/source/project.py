"""Finds the project's folder for the commands."""

from __future__ import annotations

from pathlib import Path


class UsageError(Exception):
    """Wrong use or broken configuration; the message says how to mend it."""


def project_root() -> Path:
    """The folder with ``mkdocs.yml`` and ``notes/``: here, above, or the clone with this code."""
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
