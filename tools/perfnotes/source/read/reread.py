"""Updates a Library after an edit, without reading everything again.

If only notes or translations changed, and their front matter is the same as before, only their
bodies are read again. Everything else in the library stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from perfnotes.model.library import Library
from perfnotes.model.note import Meta, Note
from perfnotes.source.read.foreign_folder import first_title
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.text import read_text
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding
from perfnotes.text.prose import language_of


def read_again(library: Library, files: Collection[Path], memo: Memo) -> Library | None:
    """Return the library with ``files`` as they are now, or None if all must be read again."""
    notes, twins = dict(library.notes), dict(library.translations)
    by_file = {note.file: note for note in notes.values()}
    twin_by_file = {twin.file: twin for twin in twins.values()}
    findings: list[Finding] = []
    names: set[str] = set()
    for path in sorted(files):
        if library.root not in path.parents or not path.is_file() or path.is_symlink():
            return None
        file = path.relative_to(library.root).as_posix()
        shown = library.shown(file)
        names.add(shown)
        note, twin = by_file.get(file), twin_by_file.get(file)
        if note:
            text, more = read_text(memo, path, shown, "note", lenient=not library.own)
            if text is None or not _is_same(library, note, *text):
                return None
            made = replace(note, body=text[1], meta=replace(text[0], title=note.meta.title))
            # A translation takes its ids from the original's headings.
            if note.id in twins:
                if made.body.anchors != note.body.anchors:
                    return None
                twins[note.id] = replace(twins[note.id], note=made)
            notes[note.id] = made
        elif twin:
            like = notes[twin.note.id].body.sections
            text, more = read_text(memo, path, shown, "translation", like=like)
            if text is None or text[0].title != twin.meta.title or text[0] != twin.meta:
                return None
            twins[twin.note.id] = replace(twins[twin.note.id], body=text[1], meta=text[0])
        else:
            return None
        findings += more
    unchanged = [finding for finding in library.findings if finding.path not in names]
    return library.with_texts(unchanged + findings, notes=notes, translations=twins)


def _is_same(library: Library, note: Note, meta: Meta, body: Body) -> bool:
    """Whether front matter, title and language are the same as those of the note."""
    if library.own:
        return bool(meta.title) and meta == note.meta
    first = meta.title or first_title(body)
    same = replace(meta, title=first) == note.meta
    return bool(first) and same and language_of(body.text[:20000]) == note.lang
