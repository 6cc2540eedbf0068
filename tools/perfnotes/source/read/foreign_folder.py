"""Reads a folder of Markdown that was not written for perfnotes.

Its folders become topics, and a page without a title in its front matter takes its first heading.
Every Markdown file gets a page, which leaves out the comments of a vault of Obsidian. The index
file of a folder becomes the page of the topic: its ``index.md`` or ``README.md``, or a file beside
the folder with the folder's name.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from functools import partial
from urllib.parse import unquote

from msgspec.structs import replace

from perfnotes.model.bilingual import Bilingual
from perfnotes.model.library import Library
from perfnotes.model.note import Meta, Note
from perfnotes.model.tag import Tag
from perfnotes.model.topic import Topic
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.text import text_of
from perfnotes.source.read.walk import Walk, is_vault, safe_id
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding
from perfnotes.text.limits import LONGEST_TITLE
from perfnotes.text.prose import language_of
from perfnotes.text.source import Data, read_data

# The names of a folder's index file. If a folder has several of them, the first one counts.
_INDEX = ("index", "readme", "_index")
_CONTENTS = ("summary", "_sidebar")  # a book's table of contents
_SUFFIX = re.compile(r"\.(?=[A-Za-z]\w{0,4}(?:/|$))")


def read_foreign_folder(library: Library, files: Walk, memo: Memo) -> None:
    """Add the notes of a folder that was not written for perfnotes to the library."""
    _Folder(library, files, memo).read()


class _Folder:
    def __init__(self, library: Library, files: Walk, memo: Memo) -> None:
        self.library = library
        self.memo = memo
        self.files = files.markdown
        self.vault = is_vault(library.root)
        self.below = Counter(p for f in self.files for p in _parents(f))  # files below each folder
        self.index_files = self._index_files()
        # The topic of each folder. Folders whose names differ only by case share one.
        self.topics: dict[str, str] = {}
        topics: dict[str, str] = {}
        for folder in sorted(self.below):
            id = page_address(folder) if folder else ""
            self.topics[folder] = topics.setdefault(id.casefold(), id)
        self.taken = {f.casefold(): library.shown(f) for f in files.others}
        for folder, id in self.topics.items():
            if folder and (self.below[folder] > 1 or self._index_inside(folder) is None):
                self.taken[id.casefold()] = library.shown(folder)

    def _index_files(self) -> dict[str, str]:
        """Return the index file of each folder that has one."""
        found: dict[str, tuple[int, str]] = {}
        for file in self.files:
            stem, folder = _stem(file).lower(), _parent(file)
            if stem in _INDEX:
                rank = (_INDEX.index(stem), file)
                found[folder] = min(found.get(folder, rank), rank)
        for file in self.files:
            named = file.rpartition(".")[0]
            if named in self.below and named not in found:
                found[named] = (len(_INDEX), file)
        return {folder: file for folder, (_, file) in found.items()}

    def _index_inside(self, folder: str) -> str | None:
        """Return the index file of a folder if it lies in that folder."""
        file = self.index_files.get(folder)
        return file if file and _parent(file) == folder else None

    def read(self) -> None:
        library = self.library
        folder_of = {file: folder for folder, file in self.index_files.items()}
        paths: dict[str, str] = {}
        for file in self.files:
            folder = folder_of.get(file)
            if folder is None or self.topics[folder] in library.introductions:
                paths[file] = file.rpartition(".")[0]
            elif self.below[folder] > 1 or folder == "" or folder != _parent(file):
                self._note(file, folder, self.topics[folder], index=True)
            else:
                paths[file] = folder  # the folder holds no other note, so the note takes its name
        # A path that can be an address without a change gets that address first.
        for file in sorted(paths, key=lambda f: (page_address(paths[f]) != paths[f], f)):
            id = self._id(paths[file], file)
            self._note(file, _parent(paths[file]), id, index=False)
        self._add_topics()
        self._put_in_order()
        known = {t for n in library.notes.values() for t in n.meta.tags}
        for tag in sorted(known - set(library.tags)):
            library.tags[tag] = Tag(tag, Bilingual(tag), Bilingual(""))

    def _id(self, path: str, file: str) -> str:
        wanted, shown = page_address(path), self.library.shown(file)
        id, n = wanted, 1
        while id.casefold() in self.taken:
            n += 1
            id = f"{wanted}-{n}"
        if n > 1:
            message = f"the address {wanted!r} is taken by {self.taken[wanted.casefold()]}"
            hint = f"this page is at {id!r}; rename the file for a better one"
            self.library.findings.append(Finding(shown, 1, 1, "PN802", message, hint))
        self.taken[id.casefold()] = shown
        return id

    def _note(self, file: str, folder: str, id: str, *, index: bool) -> None:
        library, shown = self.library, self.library.shown(file)
        path = library.root / file
        load, make = partial(read_data, path, shown), partial(_text, shown, self.vault)
        known = ("foreign", shown, *(["vault"] if self.vault else []))
        text, findings = self.memo.of_data(load, make, path, *known)
        library.findings += findings
        if text is None:
            return
        meta, body, first, lang = text
        name = (folder if index else file.rpartition(".")[0]).rpartition("/")[2]
        title = meta.title or first or _title_from_name(name) or "Notes"
        meta = replace(meta, title=title)
        note = Note(id, self.topics[folder], file, meta, body, lang)
        if index:
            library.introductions[id] = note
        else:
            (library.drafts if meta.draft else library.notes)[id] = note

    def _add_topics(self) -> None:
        library = self.library
        used = {n.topic for n in library.notes.values()} | set(library.introductions)
        used |= {parent for topic in used for parent in _parents(topic)}
        for folder, id in self.topics.items():
            if id in used and (id or any(n.topic == "" for n in library.notes.values())):
                intro = library.introductions.get(id)
                name = intro.meta.title if intro else _title_from_name(folder.rpartition("/")[2])
                title = Bilingual(name) if id else Bilingual("Notes", "笔记")
                library.topics.setdefault(id, Topic(id, title, Bilingual("")))

    def _put_in_order(self) -> None:
        """Order the notes as the book's table of contents does, if there is one."""
        library = self.library
        contents = [n for n in library.notes.values() if n.slug.lower() in _CONTENTS]
        ids = {note.file: note.id for note in library.notes.values()}
        order: dict[str, list[str]] = {}
        for note in sorted(contents, key=lambda n: n.id.count("/"), reverse=True):
            for link in note.body.document.links:
                path = unquote(link.dest.partition("#")[0])
                id = ids.get(posixpath.normpath(posixpath.join(_parent(note.file), path)))
                if id:
                    order.setdefault(library.notes[id].topic, []).append(library.notes[id].slug)
        for topic, slugs in order.items():
            once = tuple(dict.fromkeys(slugs))
            library.topics[topic] = replace(library.topics[topic], order=once)


def _text(
    shown: str, vault: bool, data: Data
) -> tuple[tuple[Meta, Body, str, str] | None, list[Finding]]:
    """Read a text; return its front matter, its body, its first title and its language."""
    text, findings = text_of(data, shown, "note", lenient=True, vault=vault)
    if text is None:
        return None, findings
    meta, body = text
    return (meta, body, first_title(body), language_of(body.text[:20000])), findings


def page_address(path: str) -> str:
    """Return an address for a path without a file suffix: ``index.html`` gives ``index-html``."""
    return _SUFFIX.sub("-", safe_id(path))


def first_title(body: Body) -> str:
    """Return the first heading of level 1, or a heading of any level at the very start, or "".

    A heading of more than 300 characters is no title: other pages would repeat it in their lists.
    """
    first = next((s for s in body.sections if s.level == 1), None)
    if first is None and body.sections:
        before = body.prose.without_markup(body.document.start, body.sections[0].start)
        first = None if before else body.sections[0]
    return first.title if first and len(first.title) <= LONGEST_TITLE else ""


def _title_from_name(name: str) -> str:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", name):  # a daily note
        return name
    words = re.sub(r"[-_]+", " ", re.sub(r"^\d+[-_. ]+(?=\D)", "", name)).strip()
    return words[:1].upper() + words[1:]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _parents(path: str) -> list[str]:
    """Return every folder above ``path``, the root ("") first."""
    parts = path.split("/")
    return ["/".join(parts[:i]) for i in range(len(parts))]
