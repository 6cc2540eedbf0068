"""Reads the texts of a folder that was written for perfnotes: notes, translations, annotations."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from perfnotes.model.library import Annotation, Library
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.text import read_text
from perfnotes.text.body import Body, read_body
from perfnotes.text.findings import Finding
from perfnotes.text.source import read_source

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*$")
_TWIN = re.compile(r"\.zh\.md$", re.IGNORECASE)


def read_own_texts(library: Library, files: Iterable[str], memo: Memo) -> None:
    """Read Markdown files into the library. Translations are read last: each needs its note."""
    twins: list[str] = []
    for file in files:
        parts = file.split("/")
        if parts[0] == "references" and len(parts) == 2:
            _annotation(library, file, memo)
        elif _TWIN.search(file):
            twins.append(file)
        else:
            _note(library, file, memo)
    known = {**library.notes, **library.drafts}
    for file in twins:
        _twin(library, file, known, memo)


def _id(file: str) -> str:
    return re.sub(r"(?:/index)?\.md$", "", file)


def _note(library: Library, file: str, memo: Memo) -> None:
    id = _id(file)
    shown = library.shown(file)
    topic, _, slug = id.partition("/")
    name, ending = posixpath.splitext(posixpath.basename(file))
    if ending != ".md":
        message, hint = "a note's file ends in .md", f"rename it to {name}.md"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, hint))
        return
    if "." in name:
        message = "a note's file ends in .md, or in .zh.md for a Chinese twin, and has no other dot"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "rename the file"))
        return
    if "/" in slug or not slug:
        message = "a note lies at <topic>/<slug>.md or <topic>/<slug>/index.md"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "move the file"))
        return
    if not _SLUG.match(slug) or not _SLUG.match(topic):
        message = f"{id!r} is no id: lower case letters, digits and hyphens only"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "rename the file"))
        return
    if topic not in library.topics and "topics" in library.sources:
        message = f"the topic {topic!r} is not in topics.yml"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "add it, or move the file"))
    other = library.notes.get(id) or library.drafts.get(id)
    if other:
        other_shown = library.shown(other.file)
        for one, another in ((shown, other_shown), (other_shown, shown)):
            message = f"this note would overwrite {another}: both are {id!r}"
            library.findings.append(Finding(one, 1, 1, "PN802", message, "rename one of the two"))
        return
    text, findings = read_text(memo, library.root / file, shown, "note")
    library.findings += findings
    if text is None:
        return
    meta, body = text
    note = Note(id, topic, file, replace(meta, title=meta.title or slug), body)
    (library.drafts if meta.draft else library.notes)[id] = note


def _twin(library: Library, file: str, known: dict[str, Note], memo: Memo) -> None:
    shown = library.shown(file)
    id = _id(_TWIN.sub(".md", file))
    note = known.get(id)
    if note is None:
        message = f"a translation of {id!r}, which does not exist"
        hint = "the English note has the same path without '.zh'"
        library.findings.append(Finding(shown, 1, 1, "PN701", message, hint))
        return
    path, original = library.root / file, note.body.sections
    text, findings = read_text(memo, path, shown, "translation", original=original)
    library.findings += findings
    if text is None:
        return
    meta, body = text
    meta = replace(meta, title=meta.title or note.meta.title)
    if note.meta.draft:
        return
    twins = library.draft_translations if meta.draft else library.translations
    twins[id] = Translation(note, file, meta, body)


def _annotation(library: Library, file: str, memo: Memo) -> None:
    key = file.removeprefix("references/").removesuffix(".md")
    path, shown = library.root / file, library.shown(file)
    body, findings = memo.of(partial(_read_annotation, path, shown), [path], "annotation", shown)
    library.findings += findings
    if body is None:
        return
    if key not in library.references:
        message = f"an annotation of {key!r}, which is not in references.bib"
        hint = "name the file after the key"
        library.findings.append(body.source.finding(0, "PN404", message, hint))
        return
    library.annotations[key] = Annotation(key, file, body)


def _read_annotation(file: Path, shown: str) -> tuple[Body | None, list[Finding]]:
    """Read a text without front matter."""
    source, findings = read_source(file, shown)
    return (read_body(source) if source else None), findings
