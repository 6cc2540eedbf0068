"""A folder of notes becomes a Library: ours, or any folder of plain Markdown."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from perfnotes.bib import bibtex
from perfnotes.bilingual import Bilingual
from perfnotes.findings import Finding
from perfnotes.library import Annotation, Library
from perfnotes.note import Meta, Note
from perfnotes.read import frontmatter, tables
from perfnotes.read.walk import Walk, safe_id, walk
from perfnotes.source import read_source
from perfnotes.tag import Tag
from perfnotes.text.body import Body, read_body
from perfnotes.text.prose import language_of
from perfnotes.topic import Topic
from perfnotes.translation import Translation

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*$")
_INDEX = ("index", "readme", "_index")
_TWIN = re.compile(r"\.(zh)\.md$", re.IGNORECASE)


def read_library(root: Path, shown: str | None = None) -> Library:
    """Read everything under ``root``. ``shown`` is how findings name the folder."""
    library = Library(root, root.as_posix() if shown is None else shown, own=False)
    library.own = (root / "topics.yml").is_file()
    files = walk(root, library.shown_root)
    library.findings += files.findings
    library.assets = frozenset(files.others)
    _read_tables(library)
    if library.own:
        _read_own(library, files)
    else:
        _read_any(library, files)
    return library


def _read_tables(library: Library) -> None:
    for name, reader in (("topics", tables.topics), ("tags", tables.tags), ("glossary", tables.terms)):
        entries, source, findings = reader(
            library.root / f"{name}.yml", library.shown(f"{name}.yml")
        )
        setattr(library, "terms" if name == "glossary" else name, entries)
        if source:
            library.sources[name] = source
        library.findings += findings
    file = library.root / "references.bib"
    if file.is_file():
        bib, findings = read_source(file, library.shown("references.bib"))
        library.findings += findings
        if bib:
            library.sources["references"] = bib
            library.references, findings = bibtex.read(bib)
            library.findings += findings


def _read_own(library: Library, files: Walk) -> None:
    twins: list[str] = []
    for file in files.markdown:
        parts = file.split("/")
        if parts[0] == "references" and len(parts) == 2:
            _annotation(library, file)
        elif _TWIN.search(file):
            twins.append(file)
        else:
            _own_note(library, file)
    known = {**library.notes, **library.drafts}
    for file in twins:
        _twin(library, file, known)


def _own_id(file: str) -> str:
    return re.sub(r"(?:/index)?\.md$", "", file)


def _own_note(library: Library, file: str) -> None:
    id = _own_id(file)
    shown = library.shown(file)
    topic, _, slug = id.partition("/")
    if "/" in slug or not slug:
        message = "a note lies at <topic>/<slug>.md or <topic>/<slug>/index.md"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "move the file"))
        return
    if not _SLUG.match(slug) or not _SLUG.match(topic):
        message = f"{id!r} is no id: lower case letters, digits and hyphens only"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "rename the file"))
        return
    if topic not in library.topics and "topics" in library.sources:
        message = f"the topic {topic!r} does not stand in topics.yml"
        library.findings.append(Finding(shown, 1, 1, "PN801", message, "add it, or move the file"))
    other = library.notes.get(id) or library.drafts.get(id)
    if other:
        message = f"this note would overwrite {library.shown(other.file)}: both are {id!r}"
        library.findings.append(Finding(shown, 1, 1, "PN802", message, "rename one of the two"))
        return
    source, findings = read_source(library.root / file, shown)
    library.findings += findings
    if source is None:
        return
    meta, start, findings = frontmatter.read(source, "note", lenient=False)
    library.findings += findings
    meta = replace(meta, title=meta.title or slug)
    note = Note(id, topic, file, meta, read_body(source, start))
    (library.drafts if meta.draft else library.notes)[id] = note


def _twin(library: Library, file: str, known: dict[str, Note]) -> None:
    shown = library.shown(file)
    id = _own_id(_TWIN.sub(".md", file))
    note = known.get(id)
    if note is None:
        message = f"a translation of {id!r}, which does not exist"
        hint = "the English note has the same path without '.zh'"
        library.findings.append(Finding(shown, 1, 1, "PN701", message, hint))
        return
    source, findings = read_source(library.root / file, shown)
    library.findings += findings
    if source is None:
        return
    meta, start, findings = frontmatter.read(source, "translation", lenient=False)
    library.findings += findings
    meta = replace(meta, title=meta.title or note.meta.title)
    if meta.draft or note.meta.draft:
        return
    body = read_body(source, start, note.body.sections)
    library.translations[id] = Translation(note, file, meta, body)


def _annotation(library: Library, file: str) -> None:
    key = file.removeprefix("references/").removesuffix(".md")
    source, findings = read_source(library.root / file, library.shown(file))
    library.findings += findings
    if source is None:
        return
    if key not in library.references:
        message = f"an annotation of {key!r}, which is not in references.bib"
        library.findings.append(source.finding(0, "PN404", message, "name the file after the key"))
        return
    library.annotations[key] = Annotation(key, file, read_body(source))


def _read_any(library: Library, files: Walk) -> None:
    """Notes that were never written for us: topics are folders, titles are first headings."""
    folders = {_parent(f) for f in files.markdown}
    folders |= {p for f in folders for p in _parents(f)}
    below = Counter(p for f in files.markdown for p in _parents(f))
    with_index = {_parent(f) for f in files.markdown if _stem(f) == "index"}
    taken: dict[str, str] = {}
    for file in files.markdown:
        stem, folder = _stem(file), _parent(file)
        is_index = stem in _INDEX and (stem == "index" or folder not in with_index)
        if is_index and (below[folder] > 1 or folder == ""):
            _any_note(library, file, folder, "", index=True)
            continue
        path = folder if is_index else file.rpartition(".")[0]
        id = safe_id(path)
        while id.casefold() in taken:
            message = f"the address {id!r} is taken by {taken[id.casefold()]}"
            shown = library.shown(file)
            library.findings.append(Finding(shown, 1, 1, "PN802", message, "rename the file"))
            id += "-2"
        taken[id.casefold()] = library.shown(file)
        _any_note(library, file, _parent(path), id, index=False)
    used = {n.topic for n in library.notes.values()} | set(library.introductions)
    for folder in sorted(folders):
        topic = safe_id(folder) if folder else ""
        if folder and (topic in used or any(t.startswith(f"{topic}/") for t in used)):
            intro = library.introductions.get(topic)
            name = intro.meta.title if intro else _title_from_name(folder.rpartition("/")[2])
            library.topics.setdefault(topic, Topic(topic, Bilingual(name), Bilingual("")))
    if any(n.topic == "" for n in library.notes.values()):
        library.topics.setdefault("", Topic("", Bilingual("Notes", "笔记"), Bilingual("")))
    known = {t for n in library.notes.values() for t in n.meta.tags}
    for tag in sorted(known - set(library.tags)):
        library.tags[tag] = Tag(tag, Bilingual(tag), Bilingual(""))


def _any_note(library: Library, file: str, folder: str, id: str, *, index: bool) -> None:
    shown = library.shown(file)
    source, findings = read_source(library.root / file, shown, lenient=True)
    library.findings += findings
    if source is None:
        return
    meta, start, findings = frontmatter.read(source, "note", lenient=True)
    library.findings += findings
    body = read_body(source, start)
    topic = safe_id(folder) if folder else ""
    stem = (folder if index else id).rpartition("/")[2]
    title = meta.title or _first_title(body) or _title_from_name(stem) or "Notes"
    meta = replace(meta, title=title)
    note = Note(topic if index else id, topic, file, meta, body, language_of(body.text[:20000]))
    if index:
        library.introductions.setdefault(topic, note)
    else:
        (library.drafts if meta.draft else library.notes)[id] = note


def _first_title(body: Body) -> str:
    first = next((s for s in body.sections if s.level == 1), None)
    first = first or (body.sections[0] if body.sections else None)
    return first.title if first else ""


def _title_from_name(name: str) -> str:
    words = re.sub(r"[-_]+", " ", re.sub(r"^\d+[-_. ]+(?=\D)", "", name)).strip()
    return words[:1].upper() + words[1:]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0].lower()


def _parents(path: str) -> list[str]:
    """Every folder above ``path``, the root ("") first."""
    parts = path.split("/")
    return ["/".join(parts[:i]) for i in range(len(parts))]
