"""A CreationPlan has the changes that ``perfnotes new`` would make, and what the user does next."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from msgspec import Struct, field

from perfnotes.contribute.new._answers import parts
from perfnotes.fixes.move.changes import Changes
from perfnotes.source.note_name import nearest_note, notes_named, several_notes
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import no_such


class NewError(Exception):
    """The new thing cannot be written; the message says why and how to mend it."""


class CreationPlan(Struct, frozen=True):
    """What to write. ``next`` holds pairs of a command and what it is for.

    ``files`` maps the path of a file that is rewritten as a whole to its bytes before and after.
    """

    changes: Changes
    next: tuple[tuple[str, str], ...]
    files: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)


def refuse(findings: Iterable[Finding]) -> None:
    """Raise ``NewError`` with the first finding about what would be written, if there is one."""
    for finding in findings:
        raise NewError(f"{finding}; nothing is written")


def wrong_names(words: str, kind: str, known: Iterable[str], where: str) -> str:
    """Return what is wrong with a comma-separated list of names, or "" if all are known."""
    names = list(known)
    return "; ".join(no_such(kind, w, names, where) for w in parts(words) if w not in names)


def wrong_note(name: str, ids: Collection[str], notes: Path) -> str:
    """Return what is wrong with the name of a note, or "" if it means one of the ``ids``.

    ``notes`` is the notes folder, for names that are paths.
    """
    found = notes_named(name, ids, notes)
    if len(found) > 1:
        return several_notes(name, found)
    guess = nearest_note(name, ids, notes)
    hint = f"did you mean {guess}?" if guess else "notes/ has them all"
    return "" if found else f"no note is called {name!r}: {hint}"


def wrong_notes(words: str, ids: Collection[str], notes: Path) -> str:
    """As ``wrong_note``, for a comma-separated list of names."""
    return "; ".join(wrong for word in parts(words) if (wrong := wrong_note(word, ids, notes)))


def note_ids(words: str, ids: Collection[str], notes: Path) -> list[str]:
    """Return the ids of a comma-separated list of notes that ``wrong_notes`` finds right."""
    return list(dict.fromkeys(notes_named(word, ids, notes)[0] for word in parts(words)))


def too_long(text: str) -> str:
    """Return what is wrong with a description of more than 200 characters, or ""."""
    return f"{len(text)} characters: at most 200" if len(text) > 200 else ""
