"""Finds what a name or an address in a source means: a draft of the import, or an existing note."""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePosixPath
from urllib.parse import unquote

from msgspec import Struct, field

from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.naming import stem, without_language
from perfnotes.model.library import Library
from perfnotes.text.slug import bare_id

NOTE_ENDING = re.compile(
    r"\.(?:md|markdown|mdx|html?|mediawiki|wiki|dokuwiki|txt|rst|org|ipynb)$", re.IGNORECASE
)


class ImportPlaces(Struct):
    """The drafts, existing notes and terms, by every name that a link may use."""

    library: Library
    drafts: list[Draft]
    by_file: dict[str, list[Draft]] = field(default_factory=dict)
    by_name: dict[str, list[str]] = field(default_factory=dict)  # source files
    known: dict[str, str] = field(default_factory=dict)  # ids of existing notes
    terms: dict[str, str] = field(default_factory=dict)  # ids of terms

    def __post_init__(self) -> None:
        for draft in self.drafts:
            self.by_file.setdefault(draft.file, []).append(draft)
        for file, parts in self.by_file.items():
            path = NOTE_ENDING.sub("", file)
            shared = without_language(path)
            names = [path, posixpath.basename(path), shared, stem(file), parts[0].title,
                     parts[0].slug, *parts[0].aliases]  # fmt: skip
            if PurePosixPath(shared).name.lower() in ("index", "_index", "readme"):
                names.append(posixpath.dirname(file))
            for name in dict.fromkeys(lookup_key(n) for n in names if n):
                self.by_name.setdefault(name, []).append(file)
        for note in [*self.library.notes.values(), *self.library.drafts.values()]:
            for name in (note.id, note.slug, note.meta.title, *note.meta.aliases):
                self.known.setdefault(lookup_key(name), note.id)
        for twin in self.library.translations.values():
            self.known.setdefault(lookup_key(twin.meta.title), twin.note.id)
        for term in self.library.terms.values():
            for name in (term.id, *term.spellings("en"), *term.spellings("zh")):
                self.terms.setdefault(lookup_key(name), term.id)

    def file_named(self, name: str, draft: Draft) -> str:
        """The source file that a name means in this draft, or an empty string.

        If several files have the name, those in the draft's folder are preferred, then those with
        the shortest path.
        """
        folder = posixpath.dirname(draft.file)
        path = NOTE_ENDING.sub("", name.strip().replace("\\", "/")).strip("/")
        for each in (posixpath.normpath(f"{folder}/{path}"), path, posixpath.basename(path)):
            found = self.by_name.get(lookup_key(each), [])
            if len(found) > 1:
                near = [f for f in found if posixpath.dirname(f) == folder]
                found = near or sorted(found, key=lambda f: (f.count("/"), f))
            if found:
                return found[0]
        return ""

    def file_at(self, path: str, draft: Draft) -> str:
        """The source file that a relative address means in this draft, or an empty string."""
        folder = posixpath.dirname(draft.file)
        bare_path = NOTE_ENDING.sub("", unquote(path)).rstrip("/")
        joined = posixpath.normpath(f"{folder}/{bare_path}" if folder else bare_path)
        # On sites that give each page a folder, relative links begin one folder further down.
        below = posixpath.normpath(f"{NOTE_ENDING.sub('', draft.file)}/{bare_path}")
        for each in (joined, bare_path.strip("/"), below):
            for wanted in (each, f"{each}/index", f"{each}/_index", f"{each}/README"):
                found = self.by_name.get(lookup_key(wanted), [])
                exact = [f for f in found if lookup_key(wanted) in _paths(f)]
                if exact:
                    return exact[0]
        if path.startswith("/") or "/" not in path.strip("/") or NOTE_ENDING.search(path):
            return self.file_named(posixpath.basename(bare_path), draft)
        tail = lookup_key(re.sub(r"^(?:\.{0,2}/)+", "", bare_path))
        found = self.by_name.get(lookup_key(posixpath.basename(bare_path)), [])
        ending = [f for f in found if any(f"/{p}".endswith(f"/{tail}") for p in _paths(f))]
        return ending[0] if len(ending) == 1 else ""

    def address_of(self, file: str, anchor: str, draft: Draft) -> str:
        """The address, as a draft links it, of the part of a file that has the anchor.

        Empty if that is the draft itself.
        """
        parts = self.by_file[file]
        wanted = bare_id(unquote(anchor).rpartition("#")[2])
        if wanted:
            for part in parts:
                if wanted in part.anchors:
                    return relative(draft, part.address, part.anchors[wanted])
                if wanted == bare_id(part.title):
                    return relative(draft, part.address, "")
        own = draft if draft in parts else parts[0]
        same = own.address == draft.address
        return "" if same else relative(draft, own.address, "")


def relative(draft: Draft, path: str, anchor: str) -> str:
    """The relative address of ``path`` (below ``notes/``) in a link of the draft."""
    joined = posixpath.relpath(path, posixpath.dirname(draft.path))
    return f"{joined}#{anchor}" if anchor else joined


def lookup_key(name: str) -> str:
    """A name in lower case, with spaces for hyphens and underscores, which wikis take as equal."""
    return re.sub(r"[\s_-]+", " ", unquote(name)).strip().casefold()


def _paths(file: str) -> tuple[str, str]:
    """A file's path without its ending, and also without its language."""
    path = NOTE_ENDING.sub("", file)
    return lookup_key(path), lookup_key(without_language(path))
