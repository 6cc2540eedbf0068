"""Writes the first draft of a note's Chinese twin, for a translator to fill in."""

from __future__ import annotations

from perfnotes.model.note import Note
from perfnotes.model.translation import original_hash
from perfnotes.source.yamltext import yaml_scalar


def skeleton(note: Note, title: str = "", description: str = "", *, is_new: bool = False) -> str:
    """Return the text of a new Chinese twin: front matter, and the English headings to translate.

    ``title`` and ``description`` are Chinese; if they are empty, the English ones stand in their
    place. The twin is a draft, so that a half-finished one can lie among the notes. The translator
    removes the line ``draft: true`` at the end. The front matter has the hash of the English text.
    If the note ``is_new`` the hash is left out, because the English text is still to be written;
    ``perfnotes translated`` records it later.
    """
    front = [
        "---",
        f"title: {yaml_scalar(title or note.meta.title, flow=False)}",
        f"description: {yaml_scalar(description or note.meta.description, flow=False)}",
        *([] if is_new else [f"translates: {yaml_scalar(original_hash(note))}"]),
        *_symptoms(note),
        "draft: true",
        "---",
    ]
    headings = (f"\n{'#' * s.level} {s.heading.text}" for s in note.body.sections)
    return "\n".join([*front, *headings]) + "\n"


def _symptoms(note: Note) -> list[str]:
    """Return the lines of the symptoms, with the English words to translate."""
    lines = ["symptoms:"] if note.meta.symptoms else []
    for symptom in note.meta.symptoms:
        lines += [
            f"- id: {yaml_scalar(symptom.id)}",
            f"  see: {yaml_scalar(symptom.see, flow=False)}",
            f"  confirm: {yaml_scalar(symptom.confirm, flow=False)}",
        ]
    return lines
