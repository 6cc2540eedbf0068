"""Changes: edits by file, files that go elsewhere and new ones, all below the project's root."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from perfnotes.text.tokens import Edit


class MoveError(Exception):
    """Why a name cannot be changed; the message says how to mend it."""


@dataclass
class Changes:
    """``edits`` and ``moves`` are by the path that a file has now, ``created`` by the one to be."""

    edits: dict[str, list[Edit]] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)  # files and folders, old to new
    created: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)  # what a person should know

    def edit(self, path: str, edit: Edit) -> None:
        known = self.edits.setdefault(path, [])
        if edit not in known:
            known.append(edit)

    def place(self, path: str) -> str:
        """Where a file or folder lies afterwards."""
        at = path
        while at:
            if at in self.moves:
                return self.moves[at] + path[len(at) :]
            at = posixpath.dirname(at)
        return path


def edited(text: str, edits: list[Edit]) -> str:
    """The text with all edits made; none of them may overlap."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise MoveError("two changes of the same place: this is a fault of perfnotes")
        out += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*out, text[at:]])
