"""Completion: what a shell may offer, from the parsers of the commands and the names of the notes.

An argument says by its metavar what it takes: wherever a command asks for a ``TOPIC``, topics are
offered. Names are scanned from the files' lines, without reading the notes, since somebody waits.
argcomplete does what is the same for every program: the words of the line, quotes, each shell.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from perfnotes.commands._project import UsageError, project_root

SHELLS = ("bash", "fish", "zsh")

_ENTRY = re.compile(r"^-\s*\{?\s*id:\s*[\"']?([a-z0-9-]+)", re.MULTILINE)
_KEY = re.compile(
    r"^@(?!comment|string|preamble)\w+\s*[{(]\s*([^\s,{}\"]+)\s*,", re.MULTILINE | re.IGNORECASE
)
_ENTITY = re.compile(r"^ {2}([a-z0-9.-]+):\s*$", re.MULTILINE)
_CODE = re.compile(r"^ +code=\"(PN\d+)\"", re.MULTILINE)
_CHECKS = Path(__file__).parent / "checks"

Names = Callable[[Path], Iterable[str]]  # of a notes folder


def _entries(table: str) -> Names:
    return lambda notes: _ENTRY.findall(_text(notes / f"{table}.yml"))


def _keys(notes: Path) -> Iterable[str]:
    return _KEY.findall(_text(notes / "references.bib"))


def _notes(notes: Path) -> Iterable[str]:
    for file in (*notes.glob("*/*.md"), *notes.glob("*/*/index.md")):
        id = file.relative_to(notes).as_posix().removesuffix(".md").removesuffix("/index")
        if not id.endswith(".zh") and id.partition("/")[0] != "references":
            yield id


def _labs(notes: Path) -> Iterable[str]:
    return (f.parents[1].relative_to(notes).as_posix() for f in notes.glob("*/*/lab/lab.yml"))


def _machines(notes: Path) -> Iterable[str]:
    return (file.stem for file in notes.glob("*/*/lab/results/*.json"))


def _entities(notes: Path) -> Iterable[str]:
    for file in notes.glob("facts/*.yml"):
        yield from _ENTITY.findall(_text(file))


def _fact_files(notes: Path) -> Iterable[str]:
    return (file.stem for file in notes.glob("facts/*.yml"))


def _codes(_notes: Path) -> Iterable[str]:
    for file in _CHECKS.glob("[!_]*.py"):
        yield from _CODE.findall(_text(file))


def _anything(notes: Path) -> Iterable[str]:
    """What can be renamed."""
    for names in (_notes, _entries("tags"), _entries("glossary")):
        yield from names(notes)
    yield from (f"@{key}" for key in _keys(notes))


# By the metavar of an argument.
NAMES: dict[str, Names] = {
    "TOPIC": _entries("topics"),
    "TAG": _entries("tags"),
    "TERM": _entries("glossary"),
    "NOTE": _notes,
    "LAB": _labs,
    "KEY": _keys,
    "MACHINE": _machines,
    "ENTITY": _entities,
    "FACTS": _fact_files,
    "CODE": _codes,
    "OLD": _anything,
}
_FILES = frozenset(("FILE", "PATH", "DIR", "SOURCE"))


def names(kind: str) -> list[str]:
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
        made: Any = _completer(str(action.metavar or ""))
        action.completer = made or (files if action.metavar in _FILES else nothing)  # type: ignore[attr-defined]
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
        return [done + name for name in names(kind)]

    return complete


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
        elif action.choices is None:
            yield action


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
