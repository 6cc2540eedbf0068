"""Completion of command lines: offers options, and names from the project's notes.

An argument's metavar says what it takes: wherever a command asks for a ``TOPIC``, the shell offers
the topics. Each press of the completion key starts the program anew, so this module imports little.
The library argcomplete splits and quotes the words of the line and knows the shells.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from perfnotes.source.names import NAMES
from perfnotes.source.project import UsageError, project_root

SHELLS = ("bash", "fish", "zsh")

_FILES = frozenset(("FILE", "PATH", "DIR", "SOURCE"))


def candidates(kind: str) -> list[str]:
    """Return the names that an argument with the metavar ``kind`` may take, sorted.

    The list is empty where the working folder lies in no project.
    """
    try:
        notes = project_root() / "notes"
    except UsageError:
        return []
    return sorted(set(NAMES[kind](notes)))


def answer(parser: Callable[[str], argparse.ArgumentParser]) -> None:
    """Answer a shell's question by argcomplete's protocol and end the program.

    ``parser`` is called with the name of the command on the line. It returns the parser of the
    whole program, in which this command has its arguments.
    """
    import argcomplete  # noqa: PLC0415
    from argcomplete.completers import FilesCompleter, SuppressCompleter  # noqa: PLC0415

    words = os.environ.get("COMP_LINE", "").split()
    top = parser(words[1] if len(words) > 1 else "")
    files, nothing = FilesCompleter(), SuppressCompleter()
    for action in _actions(top):
        kind = str(action.metavar or action.dest)
        completer: Any = _completer(kind) or (files if kind in _FILES else nothing)
        action.completer = completer  # type: ignore[attr-defined]
    argcomplete.autocomplete(top, always_complete_options=False)


def script(shell: str) -> str:
    """Return the script that makes a shell complete ``perfnotes`` once the shell has read it."""
    from argcomplete.shell_integration import shellcode  # noqa: PLC0415

    # Fish does not tell the script by which path the program was called, so the script names it.
    program = Path(sys.argv[0]).absolute()
    is_perfnotes = program.name == "perfnotes" and os.access(program, os.X_OK)
    path = _quoted(str(program)) if shell == "fish" and is_perfnotes else None
    text: str = shellcode(
        ["perfnotes"],
        shell=shell,
        # Not bash's option "default", which would offer files where the program offers nothing.
        complete_arguments=["-o", "nospace"],
        argcomplete_script=path,
    )
    return text


def _quoted(text: str) -> str:
    """Return ``text`` as a single-quoted word of fish; quotes and backslashes are escaped."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _completer(metavar: str) -> Callable[..., list[str]] | None:
    several = metavar.endswith("S") and metavar.removesuffix("S") in NAMES
    kind = metavar.removesuffix("S") if several else metavar
    if kind not in NAMES:
        return None

    def complete(prefix: str, **_: object) -> list[str]:
        before = prefix[: prefix.rfind(",") + 1] if several else ""
        return [before + name for name in candidates(kind)]

    return complete


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
        elif action.choices is None:
            yield action
