"""What a recorded session ran with beyond a fresh shell: variables, settings, compile commands.

A reader who types what a block shows must get what it shows. So the variables of the run's ``env``
stand in the block, and so does the command that builds a program which it starts as ``./program``.
A recorded session shows commands that a script of the lab ran for it: what that script exports,
sets or compiles out of sight stands there too. ``LC_ALL=C`` and the other variables that every lab
has (``docs/labs.md``) need not.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise

from perfnotes.model.lab import Lab, Run

_SETTING = re.compile(
    r"\s*(?P<command>(?:export|ulimit|shopt|umask|alias|unset)\s+\S.*?"
    r"|(?:source|\.)\s+\S+|(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|nvcc|rustc)\s.*?)\s*(?:#.*)?$"
)
_BRANCH = re.compile(r"\s*\(?(?P<labels>[\w*][\w*| -]*)\)\s*$")
_EVERYWHERE = ("PATH", "LC_ALL", "HOME", "TMPDIR", "PYTHONHASHSEED")
_STARTS = re.compile(r"(?<![\w/.])\./(?P<program>[\w.+-]+)")


def setup(lab: Lab, run: Run, *, is_session: bool) -> list[str]:
    """The commands that stand for what a run had beyond a fresh shell, typed by a reader."""
    found = [
        f"export {name}={shlex.quote(str(value))}"
        for name, value in run.env.items()
        if name not in _EVERYWHERE
    ]
    if is_session:
        for words in _commands(run):
            for word in words:
                text = lab.files.get(word.removeprefix("./"), b"").decode("utf-8", "replace")
                if text and (word.endswith((".sh", ".bash")) or text.startswith("#!")):
                    found += _settings(text, words[words.index(word) + 1 :])
    return found


def _commands(run: Run) -> Iterator[list[str]]:
    command = run.options.get("command")
    for each in [command] if isinstance(command, str) else []:
        try:
            yield shlex.split(each)
        except ValueError:
            continue


def _settings(script: str, arguments: list[str]) -> Iterator[str]:
    """What a script sets out of sight; of a branch of ``case``, only where an argument picks it."""
    inside = True
    depth = 0
    for line in script.splitlines():
        stripped = line.strip()
        if stripped.startswith("case "):
            depth += 1
        elif stripped.startswith("esac"):
            depth, inside = max(0, depth - 1), True
        elif depth and (branch := _BRANCH.match(line)):
            labels = [label.strip() for label in branch["labels"].split("|")]
            inside = any(label in arguments for label in labels)
        elif inside and (setting := _SETTING.match(line)):
            yield setting["command"]


def missing(lab: Lab, run: Run, shown: str, *, is_session: bool) -> list[str]:
    """Which of these a shown block does not hold."""
    lacking = [each for each in setup(lab, run, is_session=is_session) if not _has(shown, each)]
    programs = {match["program"] for match in _STARTS.finditer(_typed(shown))}
    built = {name: command for command in lab.build for name in _output(command)}
    lacking += [
        built[name]
        for name in sorted(programs & built.keys())
        if _plain(built[name]) not in _plain(shown)
    ]
    return list(dict.fromkeys(lacking))


def _has(shown: str, command: str) -> bool:
    if command.startswith("export "):
        name, _, value = command.removeprefix("export ").partition("=")
        value = _plain(value).strip("'\"")
        return bool(re.search(rf"\b{re.escape(name)}=['\"]?{re.escape(value)}", _plain(shown)))
    return _plain(command) in _plain(shown)


def _typed(shown: str) -> str:
    return "\n".join(line for line in shown.splitlines() if line.startswith(("$ ", "# ")))


def _output(command: str) -> Iterator[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        return
    for option, name in pairwise(words):
        if option == "-o":
            yield name


def _plain(text: str) -> str:
    return " ".join(text.split())
