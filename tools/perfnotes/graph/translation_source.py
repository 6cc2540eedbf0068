"""Finds the English text that a translation was made from.

A translation records the hash of that text, by which it is looked up in git's history.
"""

from __future__ import annotations

from collections.abc import Iterable

from perfnotes.graph.site import Site
from perfnotes.model.library import SitePage
from perfnotes.model.note import NOTE_ID, Note
from perfnotes.model.translation import Translation, text_hash
from perfnotes.source.history import History
from perfnotes.source.read.frontmatter import read as read_front_matter
from perfnotes.text.source import Source, decode


def original_of(site: Site, twin: Translation) -> str | None:
    """Return the English file that a translation was made from; None if the history lacks it."""
    files = (f"{site.settings.notes}/{f}" for f in _places(twin.note))
    return _with_hash(site.history, files, twin.meta.translates)


def original_of_page(site: Site, original: SitePage, twin: SitePage) -> str | None:
    """Return the file that ``twin``, the translation of a page of ``docs/``, was made from.

    ``original`` is that page as it is now. Returns None if the history lacks the file.
    """
    return _with_hash(site.history, [f"{site.settings.docs}/{original.file}"], twin.meta.translates)


def translated_part(source: Source) -> str:
    """Return the part of a file that is translated: title, description, symptoms and text.

    The rest of the front matter is left out, because it names people with their addresses.
    """
    meta, start, _ = read_front_matter(source, "note", lenient=True)
    seen = [f"{each.id}: {each.see}\n{each.confirm}" for each in meta.symptoms]
    body = source.text[start:].lstrip("\n")
    return "\n".join([meta.title, meta.description, *seen, "", body])


def _places(note: Note) -> list[str]:
    """The path of the note, and its possible paths under the old ids among its aliases."""
    old = [a for a in note.meta.aliases if NOTE_ID.fullmatch(a)]
    return [note.file, *(f"{a}{end}" for a in reversed(old) for end in (".md", "/index.md"))]


def _with_hash(history: History, files: Iterable[str], hash: str) -> str | None:
    """Return the first version of ``files`` in the history whose text has the hash, or None."""
    for file in files:
        for text in history.versions(file):
            source, _ = decode(text.encode(), file, lenient=True)
            if source is None:
                continue
            meta, start, _ = read_front_matter(source, "note", lenient=True)
            body = source.text[start:]
            if text_hash(meta.title, meta.description, body, meta.symptoms) == hash:
                return source.text
    return None
