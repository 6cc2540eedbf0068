"""The parts of a line of commands: pipelines, commands and substitutions."""

from __future__ import annotations

from msgspec import Struct, field


class Command(Struct):
    """A simple command, or ``( … )``, ``{ … }`` or a loop with its body.

    A simple command has its source as ``text``, and ``words`` without the assignments before it.
    ``kind`` is ``builtin``, ``program``, ``paren``, ``group`` or ``loop``. ``inner`` are the
    substitutions in its words, ``redirected`` those in its redirections. ``sets`` says that it
    changes the shell in which it runs, ``redirects`` that it has a redirection, ``reads_file`` that
    it is only ``< file``.
    """

    kind: str
    text: str = ""
    body: Commands = field(default_factory=list)
    inner: list[Substitution] = field(default_factory=list)
    redirected: list[Substitution] = field(default_factory=list)
    sets: bool = False
    words: list[str] = field(default_factory=list)
    redirects: bool = False
    reads_file: bool = False


class Pipeline(Struct):
    """Commands joined by pipes; ``background`` if ``&`` ends it."""

    parts: list[Command]
    background: bool = False


Commands = list[Pipeline]


class Substitution(Struct):
    """``$(…)`` (of the kind ``dollar``) or ``<(…)`` (``process``), with its commands."""

    kind: str
    body: Commands
