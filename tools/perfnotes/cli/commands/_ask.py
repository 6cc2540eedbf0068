"""Showing what a command would change, and asking whether to write it."""

from __future__ import annotations

import sys

from perfnotes.source.project import UsageError
from perfnotes.text.printable import printable


def show(text: str) -> None:
    """Print a text that may be a stranger's, with control characters made visible."""
    sys.stdout.write(printable(text))


def agreed(question: str, yes: bool, *, has_dry_run: bool = True) -> bool:
    """Return whether to write: True with ``--yes``, else what the person at the terminal answers.

    Raises ``UsageError`` without ``--yes`` and without a terminal; its message names ``--dry-run``
    if the command has that option.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        instead = ", or --dry-run if it is only to be shown" if has_dry_run else ""
        raise UsageError(
            f"nothing written: there is no terminal to ask at; add --yes to write it{instead}"
        )
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
