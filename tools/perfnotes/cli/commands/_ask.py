"""How a command that changes files shows what it would do, and asks."""

from __future__ import annotations

import sys

from perfnotes.source.project import UsageError
from perfnotes.text.difference import printable


def show(text: str) -> None:
    """Print a text of strangers, safe for a terminal."""
    sys.stdout.write(printable(text))


def agreed(question: str, yes: bool) -> bool:
    """Whether to write: ``--yes`` or an answer. Where nobody can be asked, it is wrong use."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError(
            "nothing written: there is no terminal to ask at; add --yes to write it, or "
            "--dry-run if it is only to be shown"
        )
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
