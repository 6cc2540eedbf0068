"""Where a link of a draft leads, or why it leads nowhere."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from msgspec import Struct

from perfnotes.contribute.imports.assets import AssetError
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.pictures import ImportedPictures
from perfnotes.contribute.imports.places import NOTE_ENDING, ImportPlaces, plain, relative
from perfnotes.text.slug import bare


class ImportTargets(Struct):
    """Addresses of one draft; each method gives the new address, and else the problem."""

    draft: Draft
    places: ImportPlaces
    pictures: ImportedPictures

    def named(self, name: str) -> tuple[str, str]:
        target, _, anchor = name.partition("#")
        if not target.strip():
            return self.anchor(anchor)
        file = self.places.named(target, self.draft) or self.places.file(target, self.draft)
        if file:
            return self.file(file, anchor)
        known = self.places.known.get(plain(target))
        if known:
            return self.note(known, anchor), ""
        return "", "no note here or in this import is called so"

    def file(self, file: str, anchor: str) -> tuple[str, str]:
        """The address of an imported file's note; the page itself is its first heading."""
        found = self.places.target(file, anchor, self.draft)
        if found:
            return found, ""
        return self.anchor(anchor) if anchor else ("", "the link leads to its own page")

    def anchor(self, anchor: str) -> tuple[str, str]:
        wanted = bare(unquote(anchor))
        if wanted in self.draft.anchors:
            return f"#{self.draft.anchors[wanted]}", ""
        for part in self.places.by_file[self.draft.file]:
            if part is not self.draft and (wanted in part.anchors or wanted == bare(part.title)):
                return relative(self.draft, part.address, part.anchors.get(wanted, "")), ""
        if anchor.startswith(("fn", "_ftn")):
            return "", "a footnote's mark"
        return "", "no heading here is called so"

    def note(self, id: str, anchor: str) -> str:
        notes = {**self.places.library.drafts, **self.places.library.notes}
        note = notes[id]
        found = note.body.like_anchors.get(bare(unquote(anchor))) if anchor else ""
        return relative(self.draft, note.file, found or "")

    def path(self, dest: str) -> tuple[str, str]:
        path, _, anchor = dest.partition("#")
        path = path.partition("?")[0]
        if not path.strip():
            return self.anchor(anchor)
        file = self.places.file(path, self.draft)
        if file:
            return self.file(file, anchor)
        folder = posixpath.dirname(self.draft.file)
        asset = self.pictures.assets.find(path, folder)
        if asset:
            try:
                return self.pictures.bring(asset), ""
            except AssetError as error:
                return "", f"the file does not come along: {error}"
        if self.pictures.assets.outside(path, folder):
            return "", "it leads out of what is imported; import the folder above"
        known = self.places.known.get(plain(NOTE_ENDING.sub("", unquote(path)).strip("/")))
        if known:
            return self.note(known, anchor), ""
        return "", "no file or note at this address"
