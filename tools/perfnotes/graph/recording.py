"""A Recording: what one run of a lab printed, and the commands that a block may show with it.

Many blocks may show one recording, so its lines and commands are computed once.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cached_property, lru_cache

from perfnotes.graph.sessions import setup_commands
from perfnotes.model.lab import Lab, Run

PROMPTS = ("$ ", "# ")


@dataclass(frozen=True)
class Recording:
    """The output of a run on the lab's reference machine."""

    lab: Lab
    run: Run
    output: str

    @cached_property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.output.rstrip("\n").split("\n")]

    @cached_property
    def line_set(self) -> frozenset[str]:
        """The lines, for quick look-up."""
        return frozenset(self.lines)

    @cached_property
    def is_session(self) -> bool:
        """Whether the run printed prompts itself."""
        return any(line.startswith(PROMPTS) for line in self.lines)

    @cached_property
    def settings(self) -> list[str]:
        """The commands that give a fresh shell the settings of the run."""
        return list(dict.fromkeys(setup_commands(self.lab, self.run, is_session=self.is_session)))

    def may_show(self, command: str) -> bool:
        """Whether a block may show a command that the run did not print."""
        return _words(command) in self._permitted

    @cached_property
    def _permitted(self) -> frozenset[tuple[str, ...]]:
        """The commands, split into words, that a block may show although the run printed none."""
        written = [*self.settings, *self.lab.build]
        if not self.is_session:
            written += self.commands
        return frozenset(map(_words, written))

    @cached_property
    def commands(self) -> list[str]:
        """The commands of the build and of the run, parameters filled in."""
        written = [*self.lab.build]
        options = self.run.options
        if isinstance(options.get("command"), str):
            written.append(options["command"])
        if isinstance(options.get("commands"), dict):
            written += [str(c) for c in options["commands"].values()]
        return [self.lab.filled_in(c) for c in written]


@lru_cache(maxsize=4096)
def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return (command,)
