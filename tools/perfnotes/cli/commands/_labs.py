"""What the commands about labs share: where the labs are, and how a question is asked."""

from __future__ import annotations

import argparse
import sys

from perfnotes.labs.find import Labs, NoSuchLabError, find_labs
from perfnotes.model.lab import Lab
from perfnotes.report.text import write as as_text
from perfnotes.source.project import UsageError, notes_folder, project_root


def labs_of(options: argparse.Namespace) -> Labs:
    """The labs of ``--notes``, else the project's own."""
    given = notes_folder(options.notes)
    if given:
        return find_labs(given, given.as_posix())
    return find_labs(project_root() / "notes", "notes")


def id_of(labs: Labs, name: str) -> str:
    """The id that a name means; wrong use where it means none."""
    try:
        return labs.named(name)
    except NoSuchLabError as error:
        raise UsageError(str(error)) from None


def lab_of(labs: Labs, name: str) -> Lab:
    """The lab that a name means, which can be read."""
    id = id_of(labs, name)
    if id in labs.broken:
        sys.stderr.write(as_text(labs.broken[id]))
        raise UsageError(f"the lab of {id} cannot be read")
    return labs.labs[id]


def ask(question: str, yes: bool) -> bool:
    """Whether the answer is yes; wrong use where nobody is there to ask."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError(f"{question} Nobody is there to ask: add --yes")
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
