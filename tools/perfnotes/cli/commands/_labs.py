"""Finding labs for a command: all of a folder, and one by its name."""

from __future__ import annotations

import argparse
import sys

from perfnotes.labs.find import Labs, NoSuchLabError, find_labs
from perfnotes.model.lab import Lab
from perfnotes.report.text import write as as_text
from perfnotes.source.project import UsageError, notes_folder, project_root


def labs_of(options: argparse.Namespace) -> Labs:
    """Return the labs of the folder given with ``--notes``, or the project's own labs."""
    given = notes_folder(options.notes)
    if given:
        return find_labs(given, given.as_posix())
    return find_labs(project_root() / "notes", "notes")


def id_of(labs: Labs, name: str) -> str:
    """Return the id of the lab that ``name`` means; ``UsageError`` if there is no such lab."""
    try:
        return labs.find_id(name)
    except NoSuchLabError as error:
        raise UsageError(str(error)) from None


def lab_of(labs: Labs, name: str) -> Lab:
    """Return the lab that ``name`` means.

    Raises ``UsageError`` if there is none or it cannot be read, after printing its findings.
    """
    id = id_of(labs, name)
    if id in labs.broken:
        sys.stderr.write(as_text(labs.broken[id]))
        raise UsageError(f"the lab of {id} cannot be read")
    return labs.labs[id]
