"""Settings of a recorded run that a fresh shell lacks: variables, shell settings, built programs.

A reader who types the commands of a block must get the output that it shows. So the block must
show the variables of the run's ``env``, and the command that builds a program which the block
starts as ``./program``. In a recorded session a script of the lab runs the commands; what that
script exports, sets or compiles without printing it must be shown as well. ``LC_ALL=C`` and the
other variables that every lab has (``docs/labs.md``) need not be shown.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from perfnotes.model.lab import Lab, Run

_SETTING = frozenset(
    "export ulimit shopt umask alias unset gcc g++ cc c++ clang clang++ nvcc rustc".split()
)
_INCLUDING = ("source", ".")  # commands that run another file in this shell
_COMMENT = re.compile(r"\s#")
_BRANCH = re.compile(r"\s*\(?(?P<labels>[\w*][\w*| -]*)\)\s*$")
_EVERYWHERE = ("PATH", "LC_ALL", "HOME", "TMPDIR", "PYTHONHASHSEED")
_MOST = 200  # settings of a run that a block can show; any further one counts as not shown
_STARTS = re.compile(r"(?<![\w/.])\./(?P<program>[\w.+-]+)")


def setup_commands(lab: Lab, run: Run, *, is_session: bool) -> list[str]:
    """Return the commands that give a fresh shell the settings of the run."""
    found = [
        f"export {name}={shlex.quote(str(value))}"
        for name, value in run.env.items()
        if name not in _EVERYWHERE
    ]
    words = _words_of_command(run) if is_session else []
    for word in words:
        text = lab.files.get(word.removeprefix("./"), b"").decode("utf-8", "replace")
        if text and (word.endswith((".sh", ".bash")) or text.startswith("#!")):
            found += _settings(text, words[words.index(word) + 1 :])
    return found


def _words_of_command(run: Run) -> list[str]:
    """Return the words of the run's ``command``; empty if it has none or the words do not parse."""
    command = run.options.get("command")
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return []


def _settings(script: str, arguments: list[str]) -> Iterator[str]:
    """Yield the commands of a script that export, set or compile something.

    Branches of ``case`` count only if one of ``arguments`` selects them.
    """
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
        elif inside and (setting := _setting(line)):
            yield setting


def _setting(line: str) -> str:
    """Return the command of a line that changes the shell or compiles something, or ""."""
    command = _COMMENT.split(line, 1)[0].strip()
    words = command.split(maxsplit=2)
    if len(words) > 1 and (words[0] in _SETTING or (words[0] in _INCLUDING and len(words) == 2)):
        return command
    return ""


def missing_commands(settings: Sequence[str], lab: Lab, shown: str) -> list[str]:
    """Return the commands for a run's settings and for built programs that a block lacks.

    ``settings`` are those of ``setup_commands``; ``shown`` is the text of the block.
    """
    plain = _plain(shown)
    settings = list(dict.fromkeys(settings))
    absent = [each for each in settings[:_MOST] if not _has(plain, each)]
    absent += settings[_MOST : _MOST + 1]
    programs = {match["program"] for match in _STARTS.finditer(_typed(shown))}
    built = {name: command for command in lab.build for name in _output(command)}
    absent += [
        built[name] for name in sorted(programs & built.keys()) if _plain(built[name]) not in plain
    ]
    return list(dict.fromkeys(absent))


def _has(plain: str, command: str) -> bool:
    """Return whether a text, as ``_plain`` returns it, has the command."""
    if command.startswith("export "):
        name, _, value = command.removeprefix("export ").partition("=")
        value = _plain(value).strip("'\"")
        return bool(re.search(rf"\b{re.escape(name)}=['\"]?{re.escape(value)}", plain))
    return _plain(command) in plain


def _typed(shown: str) -> str:
    """Return the lines of a block that a reader types: those with a prompt."""
    return "\n".join(line for line in shown.splitlines() if line.startswith(("$ ", "# ")))


@lru_cache(maxsize=1024)
def _output(command: str) -> tuple[str, ...]:
    """Return the names of the files that a build command writes: the words after ``-o``."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ()
    return tuple(name for option, name in pairwise(words) if option == "-o")


def _plain(text: str) -> str:
    """Return the text with each run of white space as one blank, to compare commands."""
    return " ".join(text.split())
