"""Repairs of front matter: ids for other names of tags and notes, a level in lower case."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.model.note import LEVELS, Note
from perfnotes.model.repair import Repair
from perfnotes.source.read.frontmatter import extent
from perfnotes.source.yamltext import YamlText

MENDS = {
    "PN202": "writes a level in lower case",
    "PN205": "writes a tag's id for its alias, and in the right case",
    "PN207": "writes a note's id for an old id, or for a file name that one note has",
}


def find(site: Site) -> Iterator[Repair]:
    """Names of tags and notes that can mean only one id, and levels with capital letters."""
    library = site.library
    tags, ids = _tags(library), _ids(library)
    for note in (*library.notes.values(), *library.drafts.values()):
        text, path = note.body.source.text, note.body.source.path
        found = extent(text)
        if not found or not library.own:
            continue
        front = YamlText(text, *found)
        for key, new in _changes(note, tags, ids):
            if key in front:
                edit = front.renamed(key, new)
                yield Repair(path, edit.start, edit.end, text[edit.start : edit.end], edit.new)


def _changes(
    note: Note, tags: Mapping[str, str], ids: Mapping[str, str]
) -> Iterator[tuple[tuple[Hashable, ...], str]]:
    # An id that is in the list already is not written a second time: keys must not repeat a value.
    written = {*note.meta.tags}
    for i, tag in enumerate(note.meta.tags):
        new = tags.get(tag.casefold(), tag)
        if new not in written:
            written.add(new)
            yield ("tags", i), new
    written = {note.id, *note.meta.requires}
    for i, wanted in enumerate(note.meta.requires):
        new = ids.get(wanted, wanted)
        if new not in written:
            written.add(new)
            yield ("requires", i), new
    if note.meta.level not in LEVELS and note.meta.level.lower() in LEVELS:
        yield ("level",), note.meta.level.lower()


def _tags(library: Library) -> dict[str, str]:
    """Tag ids by name in lower case, without names that several tags share.

    A name is an id or an alias. The id of a tag comes before an alias of another tag.
    """
    spelt: dict[str, set[str]] = {}
    for tag in library.tags.values():
        for name in (tag.id, *tag.aliases):
            spelt.setdefault(name.casefold(), set()).add(tag.id)
    found = {name: ids.pop() for name, ids in spelt.items() if len(ids) == 1}
    return found | {id.casefold(): id for id in library.tags}


def _ids(library: Library) -> dict[str, str]:
    """Note ids by slug and by alias, without names that several notes share."""
    names: dict[str, set[str]] = {}
    for note in library.notes.values():
        for name in (note.slug, *note.meta.aliases):
            names.setdefault(name, set()).add(note.id)
    return {n: ids.pop() for n, ids in names.items() if len(ids) == 1 and n not in library.notes}
