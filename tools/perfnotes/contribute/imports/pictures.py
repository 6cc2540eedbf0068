"""Copies images and other files to a draft's folder, or reports why not."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from msgspec import Struct, field

from perfnotes.contribute.imports import assets as files
from perfnotes.contribute.imports.assets import Asset, AssetError, Assets
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.escape import escape, span
from perfnotes.contribute.imports.imported_page import Change
from perfnotes.contribute.imports.places import NOTE_ENDING
from perfnotes.text.tokens import Link, Wiki

# Obsidian writes the size of a picture, in pixels, as its label.
_SIZE = re.compile(r"\d+(?:x\d+)?$")


class ImportedPictures(Struct):
    """The files that are copied to one draft's folder.

    ``names`` has the new names of files that were copied already, by source file.
    """

    draft: Draft
    assets: Assets
    names: dict[str, str] = field(default_factory=dict)

    def image(self, link: Link, dest: str, kind: str) -> Iterator[Change]:
        """The Changes for an image with the address ``dest``, of the scheme ``kind``."""
        text = self.draft.page.text
        label = text[link.label_start : link.label_end]
        try:
            if kind == "data":
                made = files.from_data_address(dest)
                if made is None:
                    raise AssetError("its address holds no picture of a known type")
                name = self._put(made)
            elif kind in ("http", "https") or dest.startswith("//"):
                if is_broken(dest):
                    raise LookupError("this is no web address")
                yield from self._remote(link, dest, label)
                return
            else:
                found = self._found(dest)
                name = self.bring(found)
        except (AssetError, LookupError) as error:
            yield from self._refused(link, dest, label, str(error))
            return
        if not label.strip():
            shown = "picture" if kind == "data" else _words(dest)
            said = f"an image without words: {shown!r}, from its name"
            yield Change(link.label_start, link.label_end, escape(shown, links=False), said,
                         "say in a sentence what it shows")  # fmt: skip
        yield Change(link.dest_start, link.dest_end, name)

    def _found(self, dest: str) -> str:
        """The file at an address; ``LookupError`` if there is none, which says why."""
        folder = posixpath.dirname(self.draft.file)
        path = unquote(dest.partition("wiki:")[2] or dest)
        found = self.assets.find(path, folder)
        if found:
            return found
        if self.assets.leads_outside(path, folder):
            raise LookupError("it is outside of the imported folder; import the folder above")
        raise LookupError("no file at this address")

    def _remote(self, link: Link, dest: str, label: str) -> Iterator[Change]:
        said = f"the image {dest[:120]} is on another site: it became a link"
        yield Change(link.start, link.start + 1, "", said, "put the file beside the note")
        if not label.strip():
            yield Change(link.label_start, link.label_end, escape(_words(dest), links=False))
        if dest.startswith("//"):
            yield Change(link.dest_start, link.dest_end, f"https:{dest}")

    def _refused(self, link: Link, dest: str, label: str, problem: str) -> Iterator[Change]:
        shown = dest if len(dest) <= 200 else dest[:40] + "…"
        title = link_title(self.draft.page.text, link)
        said = f"the image {shown[:120]!r} is not imported: {problem}"
        yield Change(link.start, link.label_start, "")
        aside = "" if shown == dest else dest
        new = f" ({span(shown)})" if label.strip() else span(shown)
        new += f" ({title})" if title else ""
        yield Change(link.label_end, link.end, new, said, "put the file beside the note", aside)

    def bring(self, file: str) -> str:
        """Copy a file to the draft's folder and return its new name. Raises ``AssetError``."""
        if file not in self.names:
            data = self.assets.load(file)
            name = files.plain_name(file, set(self.draft.assets))
            self.draft.assets[name] = data
            self.names[file] = name
        return self.names[file]

    def _put(self, made: Asset) -> str:
        self.draft.assets[made.name] = made.data
        return made.name

    def embedded(self, wiki: Wiki, name: str, label: str) -> Change | None:
        """The Change for a picture or file in double brackets; None if no file has this name."""
        found = self.assets.find(name, posixpath.dirname(self.draft.file))
        if not found or NOTE_ENDING.search(found):
            return None
        picture = PurePosixPath(found).suffix.lstrip(".").lower() in files.PICTURES
        words = "" if _SIZE.match(label) else label
        source = self.draft.page.text[wiki.start : wiki.end]
        try:
            new = self.bring(found)
        except AssetError as error:
            said = f"{source[:120]} is not imported: {error}"
            return Change(wiki.start, wiki.end, span(source), said, "put the file beside the note")
        said, aside = "", source if label and not words else ""
        if not words:
            words = escape(_words(name) if picture else name, links=False)
            said = f"an image without words: {words!r}, from its name" if picture else ""
        mark = "!" if picture and wiki.embed else ""
        return Change(wiki.start, wiki.end, f"{mark}[{words}]({new})", said,
                      "say in a sentence what it shows" if said else "", aside)  # fmt: skip


def link_title(text: str, link: Link) -> str:
    """The title of a link: the text in quotes after its address."""
    rest = text[link.dest_end : link.end - 1].lstrip("> \t\n").strip()
    return rest[1:-1].strip() if len(rest) > 1 and rest[0] in "\"'(" else rest


def _words(dest: str) -> str:
    """The words of a file's name, for an image without a text."""
    try:
        path = unquote(urlsplit(dest).path)
    except ValueError:
        path = dest
    name = PurePosixPath(path.replace("\\", "/")).stem
    return " ".join(re.sub(r"[-_+%\x00-\x1f]+", " ", name).split()) or "picture"


def is_broken(url: str) -> bool:
    """Whether an address names no host."""
    try:
        return not urlsplit(url).hostname
    except ValueError:
        return True
