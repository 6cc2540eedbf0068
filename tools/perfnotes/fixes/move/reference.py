"""Renaming the key of a reference: its entry, its annotation and every citation of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from perfnotes.fixes.move.changes import Changes, MoveError
from perfnotes.fixes.move.note import rename_expected
from perfnotes.fixes.move.project import RenamingProject
from perfnotes.model.library import Library
from perfnotes.source.bib.bibtex import is_key
from perfnotes.source.bib.scanner import Budget, scan
from perfnotes.source.yamltext import YamlText
from perfnotes.text.inline import scan as scan_text
from perfnotes.text.source import Source
from perfnotes.text.tokens import TextEdit

_CITING = ("tools", "symptoms")  # tables, besides the files of facts
_HEAD = re.compile(r"@\s*[A-Za-z]+\s*[{(]\s*")
_VALUE = re.compile(r"crossref\s*=\s*[{\"]?\s*", re.IGNORECASE)


def rename_key(project: RenamingProject, old: str, new: str) -> Changes:
    """The changes that give a reference another key. Keys have no aliases, so all citations change.

    Raises ``MoveError`` if ``new`` is not a key or is taken.
    """
    _check_new_key(project, old, new)
    changes = Changes()
    bibliography = project.library.sources["references"]
    for edit in _in_bibliography(bibliography, old, new):
        changes.edit(bibliography.path, edit)
    for path, links in project.graph.links.items():
        for citation in links.text.body.document.citations:
            for item in citation.items:
                if item.key == old:
                    changes.edit(path, TextEdit(item.key_start, item.key_start + len(old), new))
    for source in _citing_tables(project.library):
        for edit in _in_table(source, old, new):
            changes.edit(source.path, edit)
    annotation = f"notes/references/{old}.md"
    if (project.root / annotation).exists():
        changes.moves[annotation] = f"notes/references/{new}.md"
    rename_expected(project, changes, f"references/{old}", f"references/{new}")
    changes.remarks.append(f"keys have no alias: change citations of @{old} elsewhere by hand")
    return changes


def _citing_tables(library: Library) -> list[Source]:
    """Return the YAML files whose entries cite references: facts, tools, commands to run first."""
    facts = [file.source for file in library.facts.files.values()]
    return facts + [library.sources[name] for name in _CITING if name in library.sources]


def _in_table(source: Source, old: str, new: str) -> Iterator[TextEdit]:
    """Yield the edits of the citations in the values of a YAML file."""
    if f"@{old}" not in source.text:
        return
    for _, _, start, end in YamlText(source.text).scalars():
        for citation in scan_text(source.text[start:end]).citations:
            for item in citation.items:
                if item.key == old:
                    at = start + item.key_start
                    yield TextEdit(at, at + len(old), new)


def _check_new_key(project: RenamingProject, old: str, new: str) -> None:
    if not is_key(new):
        raise MoveError(f"{new!r} is no key: letters, digits and _ : . + -")
    taken = {key.casefold(): key for key in project.library.references if key != old}
    if new == old or new.casefold() in taken:
        raise MoveError(f"there is a reference {taken.get(new.casefold(), old)!r} already")
    if os.path.lexists(project.root / f"notes/references/{new}.md"):
        raise MoveError(f"notes/references/{new}.md is there already")


def _in_bibliography(source: Source, old: str, new: str) -> list[TextEdit]:
    entries, findings = scan(source, Budget())
    for finding in findings:
        raise MoveError(f"{finding}\nmend the entry first")
    edits = []
    for entry in entries:
        head = _HEAD.match(source.text, entry.offset)
        if head and entry.key == old:
            edits.append(TextEdit(head.end(), head.end() + len(old), new))
        if entry.fields.get("crossref", "").casefold() == old.casefold():
            value = _VALUE.match(source.text, entry.place("crossref"))
            if value:
                edits.append(TextEdit(value.end(), value.end() + len(old), new))
    return edits
