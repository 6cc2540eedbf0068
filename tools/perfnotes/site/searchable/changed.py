"""The Documents of a site after an edit. Only those that may be different are made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.graph.site import Site
from perfnotes.search.document import SearchDocument
from perfnotes.site.page_plan import Name
from perfnotes.site.searchable.documents import document_id, documents
from perfnotes.site.searchable.own import SHOWN, kind_of


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
    same = {kind: found for kind, found in others.items() if kinds.isdisjoint(SHOWN[kind])}
    return list(documents(now, of_notes, same))


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
        known = before.graph.links.get(path)
        if known is not links and (known is None or not links.has_same_prose_as(known)):
            yield links.text.id
