"""How a command that changes files shows what it would do, and asks."""

from __future__ import annotations

import sys

from perfnotes.textdiff import printable


def show(text: str) -> None:
    """Print a text of strangers, safe for a terminal."""
    sys.stdout.write(printable(text))


def agreed(question: str, yes: bool) -> bool:
    """Whether to write: ``--yes`` or an answer; in a pipe without it nothing is written."""
    if yes:
        return True
    if not sys.stdin.isatty():
        print("nothing written: add --yes to write it")
        return False
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
