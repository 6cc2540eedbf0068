"""``perfnotes new note ID --lang zh``: the Chinese twin of an existing note."""

from __future__ import annotations

from pathlib import Path

from perfnotes.contribute.new._answers import Answers
from perfnotes.contribute.new._creation_plan import (
    CreationPlan,
    NewError,
    refuse,
    too_long,
    wrong_note,
)
from perfnotes.fixes.move.changes import Changes
from perfnotes.model.note import Note
from perfnotes.source.names import NAMES
from perfnotes.source.note_name import notes_named
from perfnotes.source.read.frontmatter import read
from perfnotes.source.twin import skeleton
from perfnotes.text.body import read_body
from perfnotes.text.source import Source, read_source


def planned_twin(root: Path, answers: Answers) -> CreationPlan:
    """Plans the twin beside its note, with the English headings to translate."""
    notes = root / "notes"
    ids = sorted(NAMES["NOTE"](notes))
    named = answers.need("TOPIC/SLUG", "the id of the note", lambda n: wrong_note(n, ids, notes))
    (id,) = notes_named(named, ids, notes)
    for name in ("tags", "level", "requires"):
        if answers.option(name):
            raise NewError(f"--{name}: a twin takes it from its note; leave the option out")
    file = f"{id}/index.md" if (notes / id / "index.md").is_file() else f"{id}.md"
    path = f"notes/{file.removesuffix('.md')}.zh.md"
    if (root / path).exists():
        raise NewError(f"{path} is there already: `perfnotes translated {id}` says what changed")
    source, findings = read_source(notes / file, f"notes/{file}")
    refuse(findings)
    assert source
    note = note_from(id, file, source.text)
    title = answers.optional("title", "its title in Chinese", note.meta.title)
    description = answers.or_placeholder(
        "description", "its description in Chinese", note.meta.description, too_long
    )
    text = skeleton(note, title, description)
    refuse(read(Source(path, text), "translation", lenient=False)[2])
    return CreationPlan(
        Changes(created={path: text}),
        (
            (f"$EDITOR {path}", "translate below each heading; then remove `draft: true`"),
            (f"perfnotes check {path}", "says what to mend"),
            (f"perfnotes translated {id}", "show what changed in the English text meanwhile"),
        ),
    )


def note_from(id: str, file: str, text: str) -> Note:
    """Return the note that ``text`` would be; ``NewError`` if its front matter is not valid."""
    source = Source(f"notes/{file}", text)
    meta, start, findings = read(source, "note", lenient=False)
    refuse(findings)
    return Note(id, id.partition("/")[0], file, meta, read_body(source, start))
