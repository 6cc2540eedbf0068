"""Finds what a link means in a folder that was not written for perfnotes.

Other systems link by file, by the address that they give a page, by an id of their own or by name.
All of these are tried, the most exact first.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from perfnotes.model.library import Library
from perfnotes.source.read.foreign_folder import page_address

_PAGE = re.compile(r"\.(?:html?|md|mdx|markdown)$", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|/)(?:_?index|readme)$")
# The address of a Jekyll post, /2024/01/02/name.html, whose file is 2024-01-02-name.md.
_POST = re.compile(r"(\d{4})/(\d\d)/(\d\d)/([^/]+?)(?:\.html)?/?$")
# A quoted address with a filter, the site's base address, or the tag of a link.
_LIQUID = re.compile(
    r"\{\{-?\s*[\"']([^\"']*)[\"']\s*\|[^{}]*\}\}|\{\{-?\s*site\.(?:github\.)?(?:base)?url\s*-?\}\}"
    r"|\{%-?\s*(?:link|post_url)\s+([^\s{}%]+)\s*-?%\}"
)
_NO_NAME = re.compile(r"^\W|[$\"`=<>{}|;*\\~]|::")
# Attributes of C++ itself. Those of compilers are known by the "::" in them.
_ATTRIBUTES = frozenset(
    "assume carries_dependency deprecated fallthrough likely maybe_unused nodiscard noreturn "
    "no_unique_address unlikely".split()
)


def without_liquid(dest: str) -> str:
    """A link's destination without Jekyll's template: ``{{ '/a/' | relative_url }}`` is ``/a/``."""
    if "{" not in dest:
        return dest
    return _LIQUID.sub(lambda m: m[1] or (f"/{m[2]}" if m[2] else ""), dest)


class ForeignTargets:
    """Finds the note, file or topic that a link means; ``paths`` (``notes/…``) are all files."""

    def __init__(self, library: Library, paths: Iterable[str]) -> None:
        self._library = library
        self._files: dict[str, str] = {}
        self._pages: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._exact = frozenset(paths)
        for path in sorted(self._exact):
            key = _folded(path.removeprefix("notes/"))
            self._files.setdefault(key, path)
            name = posixpath.basename(key)
            self._by_name[name].append(path)
            if _PAGE.search(key):
                stem = _PAGE.sub("", key)
                self._pages.setdefault(stem, path)
                self._pages.setdefault(_INDEX.sub("", stem), path)
                # The files of a Jekyll collection: the page of _docs/a.md is at docs/a.
                self._pages.setdefault(re.sub(r"(^|/)_", r"\1", stem), path)
                self._by_name[_PAGE.sub("", name)].append(path)
        for note in (*library.notes.values(), *library.introductions.values()):
            for alias in map(_folded, note.meta.aliases):
                self._pages.setdefault(alias, f"notes/{note.file}")
                beside = posixpath.join(posixpath.dirname(_folded(note.file)), alias)
                self._pages.setdefault(beside, f"notes/{note.file}")
        self._topics = {"": "topic:"} | {
            id.casefold(): f"topic:{id}" for id in sorted(library.topics, reverse=True)
        }
        self._titles: dict[str, list[str]] = defaultdict(list)
        self._ids: dict[str, str] = {}
        for note in library.notes.values():
            self._ids[f"notes/{note.file}"] = note.id
            for title in {note.meta.title, *note.meta.aliases}:
                self._titles[_folded(title)].append(note.id)

    def note(self, name: str, topic: str) -> str | list[str] | None:
        """The id of the note that a wiki link names: by path, file name, title or alias.

        Returns the ids of all candidates if the name is ambiguous, and None if there is none. Of
        several candidates, a single one in ``topic`` is taken.
        """
        if name in self._library.notes:
            return name
        wanted = _PAGE.sub("", _folded(name)).strip("/")
        exact = self._ids.get(self._pages.get(wanted, ""))
        if exact:
            return exact
        files = self._by_name.get(posixpath.basename(wanted), [])
        found = [
            self._ids[path]
            for path in files
            if path in self._ids and f"/{_PAGE.sub('', _folded(path))}".endswith(f"/{wanted}")
        ]
        found = found or self._titles.get(wanted, [])
        if len(found) > 1:
            here = [id for id in found if self._library.notes[id].topic == topic]
            return here[0] if len(here) == 1 else found
        return found[0] if found else None

    def file_named(self, name: str, origin: str) -> str:
        """The path of an embedded file, ``![[name.png]]``, or of an index page; or "".

        Of several, one in the folder of ``origin`` is preferred, then the shortest path.
        """
        wanted = _folded(name).strip("/")
        if wanted in self._files or wanted in self._pages:
            return self._files.get(wanted) or self._pages[wanted]
        found = self._by_name.get(posixpath.basename(wanted), [])
        found = [path for path in found if f"/{_folded(path)}".endswith(f"/{wanted}")]
        folder = posixpath.dirname(origin)
        return min(found, key=lambda p: (posixpath.dirname(p) != folder, len(p), p), default="")

    def unknown(self, target: str) -> tuple[str, str, str] | None:
        """The problem of a wiki link that leads to nothing; None if the target is no name.

        Double brackets are also a test of a shell, an attribute of C++ and a matrix.
        """
        name = target.partition("#")[0].strip()
        if _NO_NAME.search(name) or name in _ATTRIBUTES or not any(map(str.isalpha, name)):
            return None
        hint = "write the note, correct the name, or put it in a code span if it is no link"
        return "PN305", f"[[{target}]] looks like a link, but no note or file has this name", hint

    def path(self, path: str, joined: str, origin: str) -> str:
        """What a link's path leads to: a path, ``topic:<id>`` for a folder, or "" if nothing.

        ``joined`` is the link's path from the root, or empty if it leads out of the notes;
        ``origin`` is the path of the text that holds the link.
        """
        tries = [joined.removeprefix("notes").strip("/")] if joined else []
        if path.startswith("/"):
            # The site may have been served below a prefix, such as /docs/.
            parts = tries[0].split("/") if tries else []
            tries += ["/".join(parts[i:]) for i in range(1, min(len(parts), 4))]
        else:
            # Links between addresses are relative to the page's address, and `a.md` may have `a/`.
            page = _INDEX.sub("", _PAGE.sub("", origin.removeprefix("notes/")))
            tries.append(posixpath.normpath(posixpath.join(page, path)))
        for each in tries:
            exact = f"notes/{each}"
            found = exact if exact in self._exact else self._at(_folded(each))
            if found:
                return found
        post = _POST.search(path)
        named = self._by_name.get(_folded("-".join(post.groups())), []) if post else []
        return named[0] if len(named) == 1 else ""

    def _at(self, key: str) -> str:
        if key.startswith(".."):
            return ""
        key = "" if key == "." else key
        found = self._files.get(key) or self._pages.get(key)
        if found:
            return found
        stem = _PAGE.sub("", key)
        for each in (stem, _INDEX.sub("", stem)):
            if each in self._pages:
                return self._pages[each]
        return self._topics.get(page_address(key).casefold() if key else "", "")


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
