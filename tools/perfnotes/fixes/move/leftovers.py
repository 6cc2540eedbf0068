"""Finds the places where the old name remains after a renaming, in code and in running text."""

from __future__ import annotations

import re

from perfnotes.fixes.move.changes import Changes, edited
from perfnotes.fixes.move.project import RenamingProject
from perfnotes.source.read.frontmatter import extent
from perfnotes.text.source import Source, read_source

_MOST = 8  # places that a remark lists


def remaining_places(project: RenamingProject, changes: Changes, old: str) -> list[str]:
    """The places of ``old`` in all texts after the changes, as ``path:line``.

    Front matter is left out, because it holds the old name as an alias.
    """
    # The name alone: not as a part of a word, a longer id, a path or an address (me@name).
    word = re.compile(rf"(?<![\w/.-])(?<!\w@){re.escape(old)}(?![\w/-])")
    found = []
    for path, source in sorted({**project.sources, **_beside_notes(project)}.items()):
        text = edited(source.text, changes.edits.get(path, []))
        front = extent(text) if path.endswith(".md") else None
        for match in word.finditer(text, front[1] if front else 0):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{changes.place(path)}:{line}")
    return found


def remark(places: list[str]) -> str:
    """A remark for the person who renames, with the first places."""
    more = f" and {len(places) - _MOST} more" if len(places) > _MOST else ""
    listed = f"{', '.join(places[:_MOST])}{more}"
    return f"the old name is still in code or running text, for you to judge: {listed}"


def _beside_notes(project: RenamingProject) -> dict[str, Source]:
    """The Markdown files beside ``notes/``, which name notes in their examples."""
    read = (read_source(f, f.name)[0] for f in sorted(project.root.glob("*.md")))
    return {s.path: s for s in read if s}
