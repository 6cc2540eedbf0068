"""Rewriting the links of all texts when files of a note move."""

from __future__ import annotations

import html
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote, unquote

from perfnotes.fixes.move.changes import Changes
from perfnotes.fixes.move.project import RenamingProject
from perfnotes.graph.links import Links
from perfnotes.text.tokens import TextEdit

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\\\")
_FENCE = re.compile(r"(?:^|\s)lab=(?P<note>[a-z0-9-]+(?:/[a-z0-9-]+)?)#")
_QUOTED = "/!$&'*+,;=:@~"  # characters that a path in Markdown may hold without encoding


def mend_links(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Rewrite every wiki link, relative link, bound number and shown output that names the note."""
    names = _Names(project, old, new)
    for path, links in project.graph.links.items():
        for edit in _of_text(links, path, changes, names):
            changes.edit(path, edit)


def mend_paths(project: RenamingProject, changes: Changes) -> None:
    """Rewrite the relative links of every text for files that have moved without a new id."""
    for path, links in project.graph.links.items():
        document = links.text.body.document
        for start, end in _places(links):
            for edit in _relative(document.text, start, end, path, changes):
                changes.edit(path, edit)


class _Names:
    """The names by which links lead to the renamed note, and to notes that share its new slug."""

    def __init__(self, project: RenamingProject, old: str, new: str) -> None:
        self.old, self.new = old, new
        notes = project.library.notes
        self._slugs = Counter(i.rpartition("/")[2] for i in notes if i != old)
        self._aliases = {a for n in notes.values() for a in n.meta.aliases}
        self._labs = project.library.labs
        self.slug = new.rpartition("/")[2]
        self._evidence = project.graph.evidence

    def wiki(self, name: str, id: str) -> str:
        """The new name in a wiki link for ``name``, which now leads to the note ``id``."""
        if name in self._aliases:
            return name
        if id == self.old:
            alone = not self._slugs[self.slug] and self.slug not in self._aliases
            return self.new if "/" in name or not alone else self.slug
        return id if name == self.slug else name

    def lab(self, name: str) -> str:
        """The new name for ``name``, by which a text names the lab of a note."""
        found, _ = self._evidence.lab(name, named=True)
        if (found.id if found else name) == self.old:
            return self.new
        return found.id if found and name == self.slug else name


def _of_text(links: Links, path: str, changes: Changes, names: _Names) -> Iterator[TextEdit]:
    """Yield the edits of one text, the file at ``path``."""
    document = links.text.body.document
    text = document.text
    for wiki, target in links.wikis:
        if target.kind == "note":
            name = wiki.target.partition("#")[0].strip()
            at = text.index(name, text.index("[[", wiki.start))
            if name and (wanted := names.wiki(name, target.id)) != name:
                yield TextEdit(at, at + len(name), wanted)
    for start, end in _places(links):
        yield from _destination(text, start, end, path, changes, names)
    for fence in document.blocks.fences:
        info = _FENCE.search(text, fence.info_start, fence.info_end)
        if info and (wanted := names.lab(info["note"])) != info["note"]:
            yield TextEdit(*info.span("note"), wanted)


def _places(links: Links) -> list[tuple[int, int]]:
    """The start and end of each link's destination, also in definitions of reference links."""
    definitions = links.text.body.document.blocks.definitions
    places = [(x.dest_start, x.dest_end) for x, _ in links.links]
    return places + [(d.dest_start, d.dest_end) for d in definitions]


def _destination(
    text: str, start: int, end: int, path: str, changes: Changes, names: _Names
) -> Iterator[TextEdit]:
    """Yield the edit of a link's destination: the note of a number or plot, or a relative path."""
    at, raw = _bare(text, start, end)
    scheme, colon, rest = raw.partition(":")
    if not colon or scheme.lower() not in ("lab", "plot"):
        yield from _relative(text, start, end, path, changes)
        return
    note, sign, _ = rest.partition("#")
    if sign and (wanted := names.lab(note)) != note:
        begin = at + len(scheme) + 1
        yield TextEdit(begin, begin + len(note), wanted)


def _bare(text: str, start: int, end: int) -> tuple[int, str]:
    """The offset and text of a destination without blanks and angle brackets around it."""
    raw = text[start:end]
    return start + len(raw) - len(raw.lstrip("< \t")), raw.strip("<> \t")


def _relative(text: str, start: int, end: int, path: str, changes: Changes) -> Iterator[TextEdit]:
    """Yield the edit of a relative link if its file, or the text that holds the link, moves."""
    start, raw = _bare(text, start, end)
    written = re.split("[#?]", raw, maxsplit=1)[0]
    given = unquote(html.unescape(written)).strip()
    if not given or given.startswith("/") or _SCHEME.match(given):
        return
    leads = posixpath.normpath(posixpath.join(posixpath.dirname(path), given))
    goes, stands = changes.place(leads), posixpath.dirname(changes.place(path))
    if (goes, stands) == (leads, posixpath.dirname(path)):
        return
    wanted = posixpath.relpath(goes, stands or ".")
    if posixpath.normpath(given) != wanted:
        slash = "/" if given.endswith("/") else ""
        yield TextEdit(start, start + len(written), quote(wanted, safe=_QUOTED) + slash)
