"""Which processes bash 5.2 starts for commands, and in which of them a variable is set."""

from __future__ import annotations

from msgspec import Struct, field

from perfnotes.explorables._shell_parts import Command, Commands, Pipeline, Substitution
from perfnotes.explorables._typed_line import RefusalError

MOST = 16
"""The most processes that are shown."""


class Process(Struct):
    """The script's shell, a copy of it, or a process for a program.

    ``commands`` run in it, ``children`` are the processes that it starts. For a part of a pipeline,
    ``part`` is its number, from 1 on.
    """

    kind: str
    part: int = 0
    commands: list[Command] = field(default_factory=list)
    children: list[Process] = field(default_factory=list)


class Model:
    """Finds out in which process each command would run. Nothing is run."""

    def __init__(self) -> None:
        self.shell = Process("shell")
        self._lastpipe = self._jobs = False
        self._count = 0

    def walk(self, commands: Commands) -> Process:
        """Return the script's shell with all that it starts."""
        self._list(commands, self.shell)
        return self.shell

    def _started(self, parent: Process, kind: str, part: int = 0) -> Process:
        self._count += 1
        if self._count > MOST:
            raise RefusalError("too-many")
        process = Process(kind, part)
        parent.children.append(process)
        return process

    def _list(self, commands: Commands, shell: Process, *, ends: str = "") -> None:
        """Add the commands of a list to the process ``shell``.

        ``ends`` is the kind of a copy that ends with this list; "" if the shell goes on. In a copy
        the last program replaces the copy instead of a fork. It does not after a command with
        ``&``, nor if it has redirections and is in ``$(…)``, or in ``( … )`` after other commands.
        """
        forks = ends == "dollar" or (ends == "paren" and len(commands) > 1)
        for number, pipeline in enumerate(commands):
            last = ends != "" and number == len(commands) - 1
            if number and commands[number - 1].background:
                last = False
            if forks and pipeline.parts[0].redirects:
                last = False
            self._pipeline(pipeline, shell, last=last)

    def _pipeline(self, pipeline: Pipeline, shell: Process, *, last: bool) -> None:
        parts, background = pipeline.parts, pipeline.background
        if len(parts) == 1:
            if background:
                self._copied(parts[0], self._started(shell, "background"))
            else:
                self._command(parts[0], shell, last=last)
            return
        for number, part in enumerate(parts):
            if self._lastpipe and self._jobs and shell is not self.shell:
                raise RefusalError("not-known", "set -m")
            stays = self._lastpipe and not self._jobs and not background
            if stays and number == len(parts) - 1:
                self._command(part, shell, last=False)
            else:
                self._copied(part, self._started(shell, "part", number + 1))

    def _copied(self, command: Command, copy: Process) -> None:
        """Add a command to a copy made for it: a program or ``( … )`` needs no further process."""
        if command.kind == "paren":
            self._substitutions(command.redirected, copy)
            self._parenthesis(command, copy)
        else:
            self._command(command, copy, last=command.kind == "program")

    def _parenthesis(self, command: Command, copy: Process) -> None:
        """Add the body of ``( … )`` to its copy; if it is only another ``( … )``, both share it."""
        body = command.body
        only = body[0].parts[0] if len(body) == 1 and len(body[0].parts) == 1 else None
        if only and only.kind == "paren" and not body[0].background:
            self._substitutions(only.redirected, copy)
            self._parenthesis(only, copy)
        else:
            self._list(body, copy, ends="paren")

    def _command(self, command: Command, shell: Process, *, last: bool) -> None:
        if command.kind == "paren":
            copy = self._started(shell, "paren")
            self._substitutions(command.redirected, copy)
            self._parenthesis(command, copy)
        elif command.kind in ("group", "loop"):
            self._substitutions(command.redirected, shell)
            self._list(command.body, shell)
        elif command.kind == "program":
            self._substitutions(command.inner, shell)
            process = shell if last else self._started(shell, "program")
            process.commands.append(command)
            self._substitutions(command.redirected, process)
        else:
            self._settings(command, shell)
            self._substitutions(command.inner + command.redirected, shell)
            shell.commands.append(command)

    def _settings(self, command: Command, shell: Process) -> None:
        """Follow ``shopt`` and ``set``: only lastpipe and -m are known, in the script's shell."""
        if command.words[:1] not in (["shopt"], ["set"]):
            return
        known = {
            "shopt -s lastpipe": (True, self._jobs),
            "shopt -u lastpipe": (False, self._jobs),
            "set -m": (self._lastpipe, True),
            "set +m": (self._lastpipe, False),
        }
        text = " ".join(command.words)
        if text not in known or shell is not self.shell:
            raise RefusalError("not-known", text)
        self._lastpipe, self._jobs = known[text]

    def _substitutions(self, found: list[Substitution], shell: Process) -> None:
        for each in found:
            if each.kind == "dollar" and _only_reads_a_file(each.body):
                continue  # the shell itself does that
            copy = self._started(shell, each.kind)
            self._list(each.body, copy, ends=each.kind)


def _only_reads_a_file(body: Commands) -> bool:
    """Say whether ``$(…)`` is ``$(< file)``."""
    parts = body[0].parts
    alone = len(body) == 1 and len(parts) == 1 and not body[0].background
    return alone and parts[0].reads_file and not parts[0].redirected
