"""``perfnotes new lab``: a folder ``lab/`` beside a note, with a small program that runs."""

from __future__ import annotations

import os
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path

from perfnotes.contribute.new._answers import Answers
from perfnotes.contribute.new._creation_plan import CreationPlan, NewError, wrong_note
from perfnotes.fixes.move.changes import Changes
from perfnotes.fixes.move.links import mend_paths
from perfnotes.fixes.move.project import RenamingProject, read_project
from perfnotes.fixes.move.rename import prove
from perfnotes.fixes.move.translations import renew_hashes
from perfnotes.labs.fingerprint import fingerprint
from perfnotes.source.note_name import notes_named

_SOURCES = ("lab.yml", "search.c")


def planned_lab(root: Path, answers: Answers) -> CreationPlan:
    """Plans the lab's files, and the note as ``index.md`` of the folder that holds ``lab/``.

    The changes are tried on a copy first: no link may change its meaning and no finding may appear.
    """
    project = read_project(root)
    notes = project.library.notes
    named = answers.need("NOTE", "the id of the note", lambda n: _wrong(root, n, notes))
    (id,) = notes_named(named, notes, root / "notes")
    changes = Changes()
    _move_into_folder(project, changes, id)
    mend_paths(project, changes)
    renew_hashes(project, changes)
    machine = fingerprint().id
    for name in _SOURCES:
        text = files("perfnotes").joinpath("contribute/templates/lab", name).read_text("utf-8")
        changes.created[f"notes/{id}/lab/{name}"] = text.replace("MACHINE", machine)
    prove(project, changes, "note", id, id)
    lab = f"notes/{id}/lab"
    return CreationPlan(
        changes,
        (
            (f"perfnotes lab run {id}", "build and run it; nothing is written"),
            (f"$EDITOR {lab}/lab.yml {lab}/search.c", "make it your experiment"),
            (f"perfnotes lab record {id}", f"write {lab}/results/{machine}.json"),
            (f"$EDITOR notes/{id}/index.md", "show a number, such as [1×](lab:comparisons)"),
            ("perfnotes fix", "write the recorded digits into the text"),
            (f"perfnotes check notes/{id}", "says what to mend"),
        ),
    )


def _wrong(root: Path, name: str, ids: Collection[str]) -> str:
    """Return why the note cannot get a lab, or "" if it can."""
    if wrong := wrong_note(name, ids, root / "notes"):
        return wrong
    (id,) = notes_named(name, ids, root / "notes")
    return f"notes/{id}/lab is there already" if os.path.lexists(root / f"notes/{id}/lab") else ""


def _move_into_folder(project: RenamingProject, changes: Changes, id: str) -> None:
    """Move the note and its twin to ``index.md`` and ``index.zh.md``, if they are not yet."""
    if project.library.notes[id].file == f"{id}/index.md":
        return
    for end in (".md", ".zh.md"):
        old, new = f"notes/{id}{end}", f"notes/{id}/index{end}"
        if (project.root / old).is_symlink():
            raise NewError(
                f"{old} is a symbolic link: begin the lab beside the file that it points to"
            )
        if (project.root / old).exists():
            changes.moves[old] = new
