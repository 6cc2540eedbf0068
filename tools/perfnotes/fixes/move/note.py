"""Renaming a note: its files, translation and lab, and every place that names it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from perfnotes.fixes.move.changes import Changes, MoveError
from perfnotes.fixes.move.links import mend_links
from perfnotes.fixes.move.project import RenamingProject
from perfnotes.model.note import NOTE_ID, Note
from perfnotes.model.result import digest_of
from perfnotes.source.read.frontmatter import extent
from perfnotes.source.yamltext import YamlText
from perfnotes.text.nearest import no_such
from perfnotes.text.source import decode
from perfnotes.text.tokens import TextEdit

_BEFORE_ALIASES = ("requires", "level", "tags", "description", "title")


def move_note(project: RenamingProject, old: str, new: str) -> Changes:
    """The changes that rename the note ``old``; ``MoveError`` if ``new`` cannot be its id."""
    _check_new_id(project, old, new)
    changes = Changes()
    note = project.library.notes[old]
    _files(project, changes, old, new)
    mend_links(project, changes, old, new)
    _requirements(project, changes, old, new)
    _alias(changes, note, old, new)
    _order(project, changes, old, new)
    _tables(project, changes, old, new)
    _plots(project, changes, old, new)
    _results(project, changes, old, new)
    return changes


def _check_new_id(project: RenamingProject, old: str, new: str) -> None:
    """Raise ``MoveError`` if ``new`` is no id, names no topic, or is taken."""
    library = project.library
    if not NOTE_ID.fullmatch(new):
        hint = "topic/slug, in lower case letters, digits and hyphens"
        raise MoveError(f"{new!r} is no note's id: {hint}")
    if new == old:
        raise MoveError(f"{old} has this name already")
    if (topic := new.partition("/")[0]) not in library.topics:
        raise MoveError(no_such("topic", topic, library.topics, "notes/topics.yml"))
    for name in _candidates(new):
        if os.path.lexists(project.root / name):
            raise MoveError(f"{name} is there already")
    for other in library.notes.values():
        if new in other.meta.aliases and other.id != old:
            raise MoveError(f"{new!r} is an alias of {other.id}, an old address of that note")


def _candidates(id: str) -> list[str]:
    """Return the paths at which a note's files may be: its folder, texts and reviews."""
    endings = ("", ".md", ".zh.md", ".review.yml", ".zh.review.yml")
    return [f"notes/{id}{ending}" for ending in endings]


def _files(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Move the files of the note. Raises ``MoveError`` if one of them is a symbolic link."""
    for a, b in zip(_candidates(old), _candidates(new), strict=True):
        place = project.root / a
        if place.is_symlink():
            raise MoveError(f"{a} is a symbolic link: move what it leads to")
        if place.exists():
            changes.moves[a] = b


def _requirements(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Rename the note in ``requires`` of every note."""
    for note in project.library.notes.values():
        if old in note.meta.requires:
            path, front = _front(note)
            items = front.items(("requires",))
            changes.edit(path, front.renamed(("requires", items.index(old)), new))


def _front(note: Note) -> tuple[str, YamlText]:
    """Return the path of a note's file and its front matter; ``MoveError`` if it has none."""
    source = note.body.source
    found = extent(source.text)
    if found is None:
        raise MoveError(f"{source.path}:1:1: no front matter")
    return source.path, YamlText(source.text, *found)


def _alias(changes: Changes, note: Note, old: str, new: str) -> None:
    """Make the old id an alias, so that its address still leads to the note.

    If the new id was an alias, the old id takes its place.
    """
    path, front = _front(note)
    items = front.items(("aliases",))
    if new in items:
        changes.edit(path, front.renamed(("aliases", items.index(new)), old))
    elif ("aliases",) in front:
        changes.edit(path, front.appended(("aliases",), old))
    else:
        changes.edit(path, front.added_key((), f"aliases: [{old}]", _BEFORE_ALIASES))


def _order(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Change the reading order in ``topics.yml``.

    The note keeps its place in its topic; in another topic it becomes the last.
    """
    source = project.library.sources.get("topics")
    if source is None:
        return
    table = YamlText(source.text)
    (topic, _, slug), (to, _, new_slug) = old.partition("/"), new.partition("/")
    here, there = table.entry(topic), table.entry(to)
    items = table.items((here, "notes"))
    if slug not in items:
        return
    at = items.index(slug)
    if topic == to:
        changes.edit(source.path, table.renamed((here, "notes", at), new_slug))
        return
    changes.edit(source.path, table.removed((here, "notes"), at))
    if (there, "notes") in table:
        changes.edit(source.path, table.appended((there, "notes"), new_slug))
        changes.remarks.append(
            f"{new} is now last in the reading order of {to}: change that by hand"
        )


def _tables(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Rename the note in the glossary, the latency numbers, the tools and the judged queries."""
    library = project.library
    for name, last in (("glossary", "note"), ("latency", "address"), ("tools", "section")):
        source = library.sources.get(name)
        for path, value, _, _ in list(YamlText(source.text).scalars()) if source else []:
            wanted = new if value == old else _address(value, old, new)
            if source and path[-1] == last and wanted != value:
                changes.edit(source.path, YamlText(source.text).renamed(path, wanted))
    rename_expected(project, changes, old, new)


def _plots(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Rename the note in plots that show values of its lab, as points or as the limit."""
    for lab in project.library.labs.values():
        for plot in lab.plots.values():
            for point in (*plot.points, plot.limit):
                if point and point.value.startswith(f"{old}#"):
                    start = lab.source.text.index(old, point.place)  # the key may be quoted
                    changes.edit(lab.source.path, TextEdit(start, start + len(old), new))


def _address(value: str, old: str, new: str) -> str:
    """Return ``value``, an address such as ``lab:topic/slug#value``, with the note's new id."""
    for before, after in ((f"lab:{old}#", f"lab:{new}#"), (f"{old}#", f"{new}#")):
        if value.startswith(before):
            return after + value.removeprefix(before)
    return value


def rename_expected(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Rename a page that judged queries expect, such as ``caches/lines`` or ``terms/warp``."""
    for source in project.queries.values():
        table = YamlText(source.text)
        for path, value, _, _ in table.scalars():
            if len(path) == 3 and path[1] == "expected" and value == old:
                changes.edit(source.path, table.renamed(path, new))


def _results(project: RenamingProject, changes: Changes, old: str, new: str) -> None:
    """Write the new lab id into results, and a new digest, because the digest covers the id.

    Raises ``MoveError`` for a result with a wrong digest: with a new digest, nobody would see that
    the result was changed after it was recorded.
    """
    folder = project.root / "notes" / old / "lab" / "results"
    for file in sorted(folder.glob("*.json")):
        path = file.relative_to(project.root).as_posix()
        source, _ = decode(file.read_bytes(), path)
        if source is None or not (edits := _of_result(source.text, path, old, new)):
            continue
        for edit in edits:
            changes.edit(path, edit)


def _of_result(text: str, path: str, old: str, new: str) -> list[TextEdit]:
    """Return the edits of a result's file; none if it is not the result of the lab ``old``."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MoveError(f"{path}:1:1: broken JSON: mend the file first") from error
    if not isinstance(data, dict) or data.get("lab") != old:
        return []
    if data.get("digest") != digest_of(data):
        hint = "restore the recorded file, or record the lab again"
        raise MoveError(f"{path}:1:1: the digest of this result is wrong: {hint}")
    values = {"lab": new, "digest": digest_of({**data, "lab": new})}
    edits = []
    for key, value in values.items():
        found = re.findall(rf'^ "{key}": "', text, re.MULTILINE)
        place = re.search(rf'^ "{key}": "([^"\\]*)"', text, re.MULTILINE)
        if place is None or len(found) != 1:
            raise MoveError(f"{path}:1:1: not written as `perfnotes lab record` writes it")
        edits.append(TextEdit(*place.span(1), value))
    return edits


def note_of_file(project: RenamingProject, file: Path) -> str:
    """The id of the note that a file belongs to, or "" if it belongs to none.

    Raises ``MoveError`` if the file is not in ``notes/``.
    """
    id = "/".join(id_at(project, file).split("/")[:2])
    return id if id in project.library.notes else ""


def id_at(project: RenamingProject, file: Path) -> str:
    """The id of a note with the path ``file``, whether or not there is such a note.

    A relative path starts at the working directory. Raises ``MoveError`` if the file is not in
    ``notes/``.
    """
    try:
        path = file.resolve().relative_to((project.root / "notes").resolve()).as_posix()
    except ValueError:
        raise MoveError(f"{file} lies outside of notes/") from None
    return re.sub(r"(?:/index)?(?:\.zh)?\.md$", "", path)
