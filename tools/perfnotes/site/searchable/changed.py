"""The Documents of a site after an edit. Only those that may be different are made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.graph.site import Site
from perfnotes.search.document import SearchDocument
from perfnotes.site.page_plan import Name
from perfnotes.site.searchable.besides_notes import SHOWN, kind_of
from perfnotes.site.searchable.documents import document_id, documents
from perfnotes.site.searchable.entries import Entry


def documents_after(
    old: Iterable[SearchDocument], before: Site, now: Site, changed: frozenset[Name]
) -> list[SearchDocument]:
    """Return all documents of the site ``now``.

    ``old`` are those of the site ``before``, ``changed`` the names of what differs.
    """
    others: dict[str, list[SearchDocument]] = {}
    of_notes: dict[str, list[SearchDocument]] = {}
    for document in old:
        if document.type == "note":
            of_notes.setdefault(document.id, []).append(document)
        else:
            others.setdefault(kind_of(document), []).append(document)
    for id in _changed_notes(before, now, changed):
        if id in now.library.notes:
            of_notes.pop(document_id(now, now.library.notes[id]), None)
    kinds = {name[0] for name in changed}
    same = {
        kind: found
        for kind, found in others.items()
        if kind in SHOWN and kinds.isdisjoint(SHOWN[kind])
    }
    of_entries: dict[tuple[str, str], list[SearchDocument]] = {}
    for kind in others.keys() - SHOWN.keys():
        for document in others[kind]:
            of_entries.setdefault((kind, document.id), []).append(document)

    def known_of(entry: Entry) -> list[SearchDocument]:
        is_same = changed.isdisjoint(entry.names) and all(
            _has_same_prose(before, now, path) for path in entry.paths
        )
        return of_entries.get((entry.kind, entry.id), []) if is_same else []

    return list(documents(now, of_notes, same, known_of))


def _changed_notes(before: Site, now: Site, changed: frozenset[Name]) -> Iterator[str]:
    """Yield the ids of the notes whose documents may be different."""
    terms = (*now.library.terms.values(), *before.library.terms.values())
    yield from (term.note for term in terms if ("term", term.id) in changed)
    for note in now.library.notes.values():
        of_note = ((kind, note.id) for kind in ("note", "tags", "symptoms", "asked"))
        if not changed.isdisjoint((*of_note, *(("tag", tag) for tag in note.meta.tags))):
            yield note.id
    for path, links in now.graph.links.items():
        if links.text.kind != "note":
            continue
        if not _has_same_prose(before, now, path):
            yield links.text.id


def _has_same_prose(before: Site, now: Site, path: str) -> bool:
    """Whether the text at ``path`` reads the same as before."""
    links, known = now.graph.links[path], before.graph.links.get(path)
    return known is links or (known is not None and links.has_same_prose_as(known))
