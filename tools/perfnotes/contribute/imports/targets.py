"""Finds the address to which a link of a draft leads, or why there is none."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from msgspec import Struct

from perfnotes.contribute.imports.assets import AssetError
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.pictures import ImportedPictures
from perfnotes.contribute.imports.places import NOTE_ENDING, ImportPlaces, lookup_key, relative
from perfnotes.text.slug import bare_id


class ImportTargets(Struct):
    """Finds the addresses for the links of one draft.

    Methods that return a pair return the new address and "", or "" and the problem.
    """

    draft: Draft
    places: ImportPlaces
    pictures: ImportedPictures

    def named(self, name: str) -> tuple[str, str]:
        """The address of the note with this name, which may end in ``#section``."""
        target, _, anchor = name.partition("#")
        if not target.strip():
            return self.anchor(anchor)
        file = self.places.file_named(target, self.draft) or self.places.file_at(target, self.draft)
        if file:
            return self.file(file, anchor)
        known = self.places.known.get(lookup_key(target))
        if known:
            return self.note(known, anchor), ""
        return "", "no note here or in this import has this name"

    def file(self, file: str, anchor: str) -> tuple[str, str]:
        """The address of the draft that a source file became, or of its section ``anchor``."""
        found = self.places.address_of(file, anchor, self.draft)
        if found:
            return found, ""
        return self.anchor(anchor) if anchor else ("", "the link leads to its own page")

    def anchor(self, anchor: str) -> tuple[str, str]:
        """The address of a section of this draft, or of another draft of the same file."""
        wanted = bare_id(unquote(anchor))
        if wanted in self.draft.anchors:
            return f"#{self.draft.anchors[wanted]}", ""
        for part in self.places.by_file[self.draft.file]:
            if part is not self.draft and (wanted in part.anchors or wanted == bare_id(part.title)):
                return relative(self.draft, part.address, part.anchors.get(wanted, "")), ""
        if anchor.startswith(("fn", "_ftn")):
            return "", "it is the mark of a footnote"
        return "", "no heading of this note has this name"

    def note(self, id: str, anchor: str) -> str:
        """The address of an existing note, or of its section if it has one called ``anchor``."""
        notes = {**self.places.library.drafts, **self.places.library.notes}
        note = notes[id]
        found = note.body.anchors_by_bare_id.get(bare_id(unquote(anchor))) if anchor else ""
        return relative(self.draft, note.file, found or "")

    def path(self, dest: str) -> tuple[str, str]:
        """The address for a relative path: of a draft, a copied file or an existing note."""
        path, _, anchor = dest.partition("#")
        path = path.partition("?")[0]
        if not path.strip():
            return self.anchor(anchor)
        file = self.places.file_at(path, self.draft)
        if file:
            return self.file(file, anchor)
        folder = posixpath.dirname(self.draft.file)
        asset = self.pictures.assets.find(path, folder)
        if asset:
            try:
                return self.pictures.bring(asset), ""
            except AssetError as error:
                return "", f"the file is not imported: {error}"
        if self.pictures.assets.leads_outside(path, folder):
            return "", "it leads out of the imported folder; import the folder above"
        known = self.places.known.get(lookup_key(NOTE_ENDING.sub("", unquote(path)).strip("/")))
        if known:
            return self.note(known, anchor), ""
        return "", "no file or note at this address"
