"""A Beginning: the changes that ``perfnotes new`` would make, and what the user does next."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from perfnotes.contribute.new._answers import parts
from perfnotes.fixes.move.changes import Changes
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest


class NewError(Exception):
    """The new thing cannot be written; the message says why and how to mend it."""


class Beginning(Struct, frozen=True):
    """What to write. ``next`` holds pairs of a command and what it is for.

    ``files`` maps the path of a file that is rewritten as a whole to its bytes before and after.
    """

    changes: Changes
    next: tuple[tuple[str, str], ...]
    files: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)


def refuse(findings: Iterable[Finding]) -> None:
    """Raises ``NewError`` with the first finding about what would be written, if there is one."""
    for finding in findings:
        raise NewError(f"{finding}; nothing is written")


def unknown(kind: str, word: str, known: Iterable[str], where: str) -> str:
    """Returns the message that no ``kind`` has this name, with the nearest known name.

    ``where`` is the file that lists all names; it is named where there are too many to print.
    """
    names = list(known)
    guess = nearest(word, names, 0.6)
    hint = f"there are {', '.join(names)}" if 0 < len(names) <= 60 else f"{where} has them all"
    return f"no {kind} is called {word!r}: {f'did you mean {guess}?' if guess else hint}"


def wrong_names(words: str, kind: str, known: Iterable[str], where: str) -> str:
    """Returns what is wrong with a comma-separated list of names, or "" if all are known."""
    names = list(known)
    return "; ".join(unknown(kind, w, names, where) for w in parts(words) if w not in names)


def too_long(text: str) -> str:
    """Returns what is wrong with a description of more than 200 characters, or ""."""
    return f"{len(text)} characters: at most 200" if len(text) > 200 else ""
