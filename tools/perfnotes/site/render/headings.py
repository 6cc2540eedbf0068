"""The headings of a body, with the ids that links lead to."""

from __future__ import annotations

from perfnotes.site.render.edits import Edits
from perfnotes.text.body import Body


def write_headings(body: Body, edits: Edits, drop_title: str, *, attributes: bool) -> None:
    """Each heading with its id; ``drop_title`` leaves out a first one that repeats the title.

    ``attributes`` keeps what the author wrote beside the id.
    """
    sections = body.sections
    dropped = body.title_section(drop_title) if drop_title else None
    for section in sections:
        heading = section.heading
        if section is dropped:
            edits.add(heading.start, heading.end, "", "")
            continue
        words_end = heading.text_start + len(heading.text)
        if not heading.text:
            continue
        extra = f" {heading.attributes}" if heading.attributes and attributes else ""
        if not body.document.text.startswith("#", heading.start):  # underlined
            edits.add(heading.text_start, heading.text_start, "#" * section.level + " ", None)
        edits.add(words_end, heading.end, f" {{#{section.id}{extra}}}", None)
