"""Where a reader begins or goes on with the Chinese version of a note, on the code host."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.source.twin import skeleton


def twin_address(site: Site, note: Note) -> str:
    """Return the address of a new file with the note's headings, or of the draft that is there.

    It is empty if the site does not know its repository.
    """
    path = site.twin_path(note)
    if note.id in site.library.draft_translations:
        return site.repository.edit(path)
    return site.repository.new(path, skeleton(note))
