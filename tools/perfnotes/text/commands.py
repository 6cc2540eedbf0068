"""Finds which programs a line of shell starts, with their arguments.

The words of a line are split where a shell splits them, as far as that decides which word is a
command. Nothing is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"""\|\|?&?|&&?|;+|\$?\(|\)|(?:\\.|"[^"]*"|'[^']*'|[^\s|&;()"'\\])+|["'\\]""")
_ENDS = re.compile(r"[|&;()]|\$\(")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
# Programs that start the command which follows them.
_PREFIXES = frozenset("sudo time env exec command nice nohup then do else if while until !".split())
SHELLS = frozenset(("console", "bash", "sh", "shell"))
_LONGEST = 4_000  # characters of a line that are looked at
_CLUSTER = re.compile(r"-[A-Za-z]+$")


def commands(line: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command of a line, without assignments and prefixes like sudo."""
    words: list[str] = []
    for token in _TOKEN.findall(line[:_LONGEST]):
        if _ENDS.match(token):
            if words:
                yield tuple(words)
            words = []
        elif words or not (token in _PREFIXES or _ASSIGNMENT.match(token)):
            words.append(token)
    if words:
        yield tuple(words)


def is_call(words: tuple[str, ...], command: tuple[str, ...]) -> bool:
    """Return whether ``words`` call ``command``, such as ``perf stat`` or ``strace -c``.

    The program and its subcommand, which have no dash, come first. The options of ``command`` may
    stand anywhere, those of one letter also joined: ``strace -cf``.
    """
    names = [each for each in command if not each.startswith("-")]
    found = [each for each in words if not each.startswith("-")][: len(names)]
    return (
        found == names
        and words[0] == command[0]
        and all(
            any(_is_option(word, wanted) for word in words[1:])
            for wanted in command
            if wanted.startswith("-")
        )
    )


def _is_option(word: str, wanted: str) -> bool:
    if len(wanted) == 2 and _CLUSTER.match(word):
        return wanted[1] in word[1:]
    return word == wanted


def command_lines(code: str, language: str) -> Iterator[str]:
    """Yield the commands in a block of code, one for each line.

    In a ``console`` block these are the lines after a prompt, in others all that are no comments.
    """
    for line in code.splitlines():
        text = line.strip()
        if language != "console":
            if not text.startswith("#"):
                yield text
        elif text.startswith(("$ ", "# ")):
            yield text[2:].strip()
