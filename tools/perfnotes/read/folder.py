"""A folder of notes becomes a Library: ours, or any folder of plain Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from perfnotes.bib import bibtex
from perfnotes.findings import Finding
from perfnotes.library import Annotation, Library
from perfnotes.note import Note
from perfnotes.read import frontmatter, tables
from perfnotes.read.anyfolder import read_any_folder
from perfnotes.read.calculators import CODE, read_calculators
from perfnotes.read.facts import read_facts
from perfnotes.read.labs import read_lab, read_results
from perfnotes.read.latency import read_latency
from perfnotes.read.walk import Walk, walk
from perfnotes.read.wanted import read_wanted
from perfnotes.source import read_source
from perfnotes.text.body import read_body
from perfnotes.translation import Translation

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*$")
_TWIN = re.compile(r"\.(zh)\.md$", re.IGNORECASE)
_LAB_FILE = re.compile(r"[^/]+/[^/]+/lab/")
_CALC_FILE = re.compile(r"[^/]+/[^/]+/calc\.yml$")
_FACT_FILE = re.compile(r"facts/[^/]+\.ya?ml$")


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
        _read_labs(library, (*files.markdown, *files.others))
        _read_facts(library, files)
        _read_calculators(library, files)
        _read_wanted(library)
    else:
        read_any_folder(library, files)
    return library


def _read_tables(library: Library) -> None:
    readers = (("topics", tables.topics), ("tags", tables.tags), ("glossary", tables.terms))
    for name, reader in readers:
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
        if _LAB_FILE.match(file):
            continue  # a source of a lab
        if parts[0] == "references" and len(parts) == 2:
            _annotation(library, file)
        elif _TWIN.search(file):
            twins.append(file)
        else:
            _own_note(library, file)
    known = {**library.notes, **library.drafts}
    for file in twins:
        _twin(library, file, known)


def _read_labs(library: Library, files: tuple[str, ...]) -> None:
    """The lab of every note that has one; what belongs to labs is no file beside a note."""
    by_folder: dict[str, list[str]] = {}
    for file in files:
        if found := _LAB_FILE.match(file):
            by_folder.setdefault(found[0].removesuffix("/"), []).append(file)
    library.assets -= {f for inside in by_folder.values() for f in inside}
    known = {**library.notes, **library.drafts}
    for folder, inside in sorted(by_folder.items()):
        id = folder.removesuffix("/lab")
        where = Finding(library.shown(f"{folder}/lab.yml"), 1, 1, "PN901", "")
        if f"{folder}/lab.yml" not in inside:
            hint = "describe the lab in it, or move these files"
            library.findings.append(replace(where, message="no lab.yml beside them", hint=hint))
            continue
        lab, findings = read_lab(library.root, library.shown_root, folder, inside)
        library.findings += findings
        if id not in known:
            message, hint = f"a lab without its note {id!r}", "the note is index.md above it"
            library.findings.append(replace(where, message=message, hint=hint))
            continue
        results, findings = read_results(library.root, library.shown_root, folder, inside)
        library.findings += findings
        if lab and id in library.notes:
            library.labs[id] = lab
            library.results[id] = results


def _read_facts(library: Library, files: Walk) -> None:
    sources = {}
    for file in files.others:
        if _FACT_FILE.match(file):
            source, findings = read_source(library.root / file, library.shown(file))
            library.findings += findings
            if source:
                sources[file.removeprefix("facts/").rpartition(".")[0]] = source
    library.facts, findings = read_facts(sources)
    library.findings += findings
    shown = library.shown("latency.yml")
    library.latency, source, findings = read_latency(library.root / "latency.yml", shown)
    library.findings += findings
    if source:
        library.sources["latency"] = source


def _read_calculators(library: Library, files: Walk) -> None:
    """The ``calc.yml`` beside notes, which is no file to publish."""
    for file in files.others:
        if not _CALC_FILE.match(file):
            continue
        library.assets -= {file}
        id = file.rpartition("/")[0]
        made, findings = read_calculators(
            library.root / file, library.shown(file), id, library.facts
        )
        library.findings += findings
        if id in library.notes:
            library.calculators[id] = made
        elif id not in library.drafts:
            message, hint = f"calculators without their note {id!r}", "the note is index.md beside"
            library.findings.append(Finding(library.shown(file), 1, 1, CODE, message, hint))


def _read_wanted(library: Library) -> None:
    shown = library.shown("wanted.yml")
    library.wanted, source, findings = read_wanted(library.root / "wanted.yml", shown)
    library.findings += findings
    if source:
        library.sources["wanted"] = source


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
