"""A Beginning: the changes that something new comes to, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from perfnotes.contribute.new._answers import parts
from perfnotes.fixes.move.changes import Changes
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest


class NewError(Exception):
    """Why it cannot be written; the message says how to mend it."""


@dataclass(frozen=True)
class Beginning:
    """``next`` are commands and what each is for; ``files`` are changed as a whole."""

    changes: Changes
    next: tuple[tuple[str, str], ...]
    files: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)


def refuse(findings: Iterable[Finding]) -> None:
    """Stop where a reader finds something wrong with what would be written."""
    for finding in findings:
        raise NewError(f"{finding}; nothing is written")


def unknown(kind: str, word: str, known: Iterable[str], where: str) -> str:
    """That nothing is called so, and what may be meant."""
    names = list(known)
    guess = nearest(word, names, 0.6)
    hint = f"there are {', '.join(names)}" if 0 < len(names) <= 60 else f"{where} has them all"
    return f"no {kind} is called {word!r}: {f'did you mean {guess}?' if guess else hint}"


def wrong_names(words: str, kind: str, known: Iterable[str], where: str) -> str:
    """Which of several names, with commas, are not known."""
    names = list(known)
    return "; ".join(unknown(kind, w, names, where) for w in parts(words) if w not in names)


def too_long(text: str) -> str:
    """What is wrong with a description."""
    return f"{len(text)} characters: at most 200" if len(text) > 200 else ""
