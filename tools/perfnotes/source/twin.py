"""The skeleton of a Chinese twin: what a translator begins with."""

from __future__ import annotations

from perfnotes.model.note import Note
from perfnotes.model.translation import original_hash
from perfnotes.source.yamltext import plain


def skeleton(note: Note, title: str = "", description: str = "", *, is_new: bool = False) -> str:
    """The twin's text: the hash of the English text, and its headings to be translated in place.

    Without them, title and description stand in English. It is a draft, so that it can lie in
    the notes half done: whoever finishes it takes the line ``draft: true`` out. Where the note
    ``is_new`` there is no English text yet that it could follow: the first sentence written there
    would leave it behind. ``perfnotes translated`` records the hash when both are written.
    """
    front = [
        "---",
        f"title: {plain(title or note.meta.title, flow=False)}",
        f"description: {plain(description or note.meta.description, flow=False)}",
        *([] if is_new else [f"translates: {plain(original_hash(note))}"]),
        "draft: true",
        "---",
    ]
    headings = (f"\n{'#' * s.level} {s.heading.text}" for s in note.body.sections)
    return "\n".join([*front, *headings]) + "\n"
