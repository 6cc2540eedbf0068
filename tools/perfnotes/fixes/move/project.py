"""Reads a project for a renaming: drafts count as notes, and every file must be readable."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from perfnotes.fixes.move.changes import MoveError
from perfnotes.graph.graph import Graph, link
from perfnotes.model.library import Library
from perfnotes.model.translation import Translation
from perfnotes.source.read import frontmatter
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.site import read_site_pages
from perfnotes.source.unread import UNREAD
from perfnotes.text.body import read_body
from perfnotes.text.source import Source, read_source

_QUERIES = "tests/search"


@dataclass(frozen=True)
class RenamingProject:
    """A project. ``root`` holds ``notes/`` and ``docs/``; ``memo`` keeps what was read of them."""

    root: Path
    library: Library
    memo: Memo = field(default_factory=Memo)

    @cached_property
    def graph(self) -> Graph:
        return link(self.library)

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every text that may contain a name, by its path below the root."""
        library = self.library
        found = {s.path: s for s in library.sources.values()}
        found |= {f.source.path: f.source for f in library.facts.files.values()}
        found |= {p: links.text.body.source for p, links in self.graph.links.items()}
        return found | self.queries

    @cached_property
    def queries(self) -> dict[str, Source]:
        """The judged queries of the search."""
        files = sorted((self.root / _QUERIES).glob("*.yml"))
        read = (read_source(f, f"{_QUERIES}/{f.name}")[0] for f in files)
        return {s.path: s for s in read if s}


def read_project(root: Path, memo: Memo | None = None) -> RenamingProject:
    """Read the project. Raises ``MoveError`` if a file cannot be read.

    ``memo`` has what an earlier run read from the same files.
    """
    library = read_library(root / "notes", "notes", memo)
    read_site_pages(library, root / "docs", "docs", memo)
    for finding in library.findings:
        if finding.code in UNREAD:
            raise MoveError(
                f"{finding}\nnames in this file could not be changed: mend the file first"
            )
    drafts = library.drafts
    library = replace(library, notes={**library.notes, **drafts}, drafts={})
    for id in drafts:
        _draft_twin(library, id)
    return RenamingProject(root, library, memo or Memo())


def _draft_twin(library: Library, id: str) -> None:
    """Add the translation of a draft, which ``read_library`` leaves out."""
    note = library.notes[id]
    for file in (f"{id}.zh.md", f"{id}/index.zh.md"):
        if not (library.root / file).is_file():
            continue
        source, _ = read_source(library.root / file, library.shown(file))
        if source:
            meta, start, _ = frontmatter.read(source, "translation", lenient=False)
            body = read_body(source, start, note.body.sections)
            library.translations[id] = Translation(note, file, meta, body)
