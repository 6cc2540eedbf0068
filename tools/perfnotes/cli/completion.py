"""Completion: what a shell may offer, from the parsers of the commands and the names of the notes.

An argument says by its metavar what it takes: wherever a command asks for a ``TOPIC``, topics are
offered. The program is started at each press of the key, so it imports little.
argcomplete does what is the same for every program: the words of the line, quotes, each shell.
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


def offered(kind: str) -> list[str]:
    """The names that an argument with this metavar may take; none outside of a project."""
    try:
        notes = project_root() / "notes"
    except UsageError:
        return []
    return sorted(set(NAMES[kind](notes)))


def answer(parser: Callable[[str], argparse.ArgumentParser]) -> None:
    """Tell the shell that asks by argcomplete's protocol, and end the program."""
    import argcomplete  # noqa: PLC0415
    from argcomplete.completers import FilesCompleter, SuppressCompleter  # noqa: PLC0415

    words = os.environ.get("COMP_LINE", "").split()
    top = parser(words[1] if len(words) > 1 else "")
    files, nothing = FilesCompleter(), SuppressCompleter()
    for action in _actions(top):
        kind = str(action.metavar or action.dest)
        made: Any = _completer(kind) or (files if kind in _FILES else nothing)
        action.completer = made  # type: ignore[attr-defined]
    argcomplete.autocomplete(top, always_complete_options=False)


def script(shell: str) -> str:
    """What a shell reads once to complete ``perfnotes``."""
    from argcomplete.shell_integration import shellcode  # noqa: PLC0415

    # Fish does not say by which path the program was called.
    program = Path(sys.argv[0]).absolute()
    found = program.name == "perfnotes" and os.access(program, os.X_OK)
    called = _quoted(str(program)) if shell == "fish" and found else None
    text: str = shellcode(
        ["perfnotes"],
        shell=shell,
        complete_arguments=["-o", "nospace"],  # a file's name is no answer to a wrong word
        argcomplete_script=called,
    )
    return text


def _quoted(text: str) -> str:
    """A word of fish, in which a backslash stands for itself but before a quote."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _completer(metavar: str) -> Callable[..., list[str]] | None:
    several = metavar.endswith("S") and metavar.removesuffix("S") in NAMES
    kind = metavar.removesuffix("S") if several else metavar
    if kind not in NAMES:
        return None

    def complete(prefix: str, **_: object) -> list[str]:
        done = prefix[: prefix.rfind(",") + 1] if several else ""
        return [done + name for name in offered(kind)]

    return complete


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
        elif action.choices is None:
            yield action
