"""Changes of a renaming: edits of files, moved files and new files, below the project's root."""

from __future__ import annotations

import posixpath

from msgspec import Struct, field

from perfnotes.text.tokens import TextEdit


class MoveError(Exception):
    """A name cannot be changed; the message says why."""


class Changes(Struct):
    """The changes of a renaming.

    ``edits`` and ``moves`` are by the present path of a file, ``created`` by the path of the new
    file. ``told`` are remarks for the person who renames.
    """

    edits: dict[str, list[TextEdit]] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)  # files and folders, old path to new path
    created: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def edit(self, path: str, edit: TextEdit) -> None:
        known = self.edits.setdefault(path, [])
        if edit not in known:
            known.append(edit)

    def place(self, path: str) -> str:
        """The path of a file or folder after the changes."""
        at = path
        while at:
            if at in self.moves:
                return self.moves[at] + path[len(at) :]
            at = posixpath.dirname(at)
        return path


def edited(text: str, edits: list[TextEdit]) -> str:
    """The text with all edits made; ``MoveError`` if two of them overlap."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise MoveError("two changes of the same place: this is a fault of perfnotes")
        out += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*out, text[at:]])
