"""The skeleton of a note's Chinese twin: all that is known before a word is translated."""

from __future__ import annotations

import json

from perfnotes.note import Note
from perfnotes.translation import original_hash


def twin_file(note: Note) -> str:
    """Where the twin of a note lies, relative to the notes folder."""
    return f"{note.file.removesuffix('.md')}.zh.md"


def twin_skeleton(note: Note) -> str:
    """Front matter with the hash of the English text, and that text's headings to translate."""
    front = {
        "title": note.meta.title,
        "description": note.meta.description,
        "translates": original_hash(note),
    }
    # A JSON string is a YAML string, whatever it holds.
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    headings = [f"{'#' * s.level} {s.heading.text}" for s in note.body.sections]
    return "\n".join(["---", *lines, "---", "", *(f"{h}\n" for h in headings)])
