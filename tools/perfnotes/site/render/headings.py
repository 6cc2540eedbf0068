"""Writes the headings of a body with their ids, to which links lead."""

from __future__ import annotations

from perfnotes.site.render.edits import Edits
from perfnotes.text.body import Body


def write_headings(body: Body, edits: Edits, drop_title: str, *, attributes: bool) -> None:
    """Write the id of each heading into the staged text.

    A first heading that is equal to ``drop_title`` is removed. With ``attributes``, a heading keeps
    the other attributes that its author wrote.
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
