"""Changes of a project's files: edits, moved files and new files."""

from __future__ import annotations

import posixpath

from msgspec import Struct, field

from perfnotes.text.tokens import TextEdit


class MoveError(Exception):
    """A name cannot be changed, or files cannot be written; the message says why."""


class Changes(Struct):
    """What a renaming, or the beginning of something new, changes.

    Paths are relative to the project's root. ``edits`` and ``moves`` are by the present path of a
    file, ``created`` has the texts of new files by their paths. ``remarks`` are sentences for the
    person who started the command.
    """

    edits: dict[str, list[TextEdit]] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)  # files and folders, old path to new path
    created: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def edit(self, path: str, edit: TextEdit) -> None:
        """Add an edit of the file at ``path``, unless it is there already."""
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
            line = text.count("\n", 0, edit.start) + 1
            raise MoveError(
                f"two edits of line {line} overlap; this is a bug in perfnotes, please report it"
            )
        out += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*out, text[at:]])
