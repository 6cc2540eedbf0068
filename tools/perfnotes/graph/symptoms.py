"""The symptoms of all notes, in either language, and by the place where a reader looks."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.symptom import Symptom
from perfnotes.model.translation import Translation


class NoteSymptom(Struct, frozen=True):
    """A symptom of the English text of a note, and its place in the note's front matter."""

    note: Note
    symptom: Symptom
    index: int

    def offset(self, key: str) -> int:
        """Return the offset of a key of the symptom in the note's file."""
        return self.note.meta.place("symptoms", self.index, key)

    def words(self, site: Site, lang: str) -> Symptom:
        """Return the symptom in ``lang``, or in English if the translation lacks it."""
        if lang != "en":
            for twin in translations_of(site, self.note):
                for translated in twin.meta.symptoms:
                    if translated.id == self.symptom.id:
                        return translated
        return self.symptom

    def address(self, site: Site, lang: str) -> str:
        """Return the address of the section that says what to do, below the site's root."""
        return f"{site.addresses.note(self.note, lang)}#{self.symptom.section}"


def all_symptoms(site: Site) -> Iterator[NoteSymptom]:
    """Yield every symptom, in the order of the site."""
    for group in site.library.by_topic.values():
        for note in group:
            yield from symptoms_of(note)


def symptoms_of(note: Note) -> Iterator[NoteSymptom]:
    """Yield the symptoms of a note, in the order of its front matter."""
    for index, symptom in enumerate(note.meta.symptoms):
        yield NoteSymptom(note, symptom, index)


def translations_of(site: Site, note: Note) -> Iterator[Translation]:
    """Yield the translation of a note. A draft counts: its symptoms may be translated already."""
    library = site.library
    for twins in (library.translations, library.draft_translations):
        if note.id in twins:
            yield twins[note.id]


def note_and_translations(site: Site, links: Links) -> list[Note | Translation]:
    """Return the note whose English text has these links, then its translations, drafts included.

    Returns an empty list for a translation, and for a text that is no note.
    """
    note = site.library.notes.get(links.text.id) if links.text.kind == "note" else None
    if note is None or f"notes/{note.file}" != links.text.path:
        return []
    return [note, *translations_of(site, note)]


def all_translations(site: Site) -> Iterator[Translation]:
    """Yield every translation, drafts too."""
    for note in site.library.notes.values():
        yield from translations_of(site, note)


def symptoms_by_place(site: Site) -> dict[str, list[NoteSymptom]]:
    """Return the symptoms by what their ``where`` names, in the order of the site."""
    found: dict[str, list[NoteSymptom]] = {}
    for each in all_symptoms(site):
        found.setdefault(each.symptom.where, []).append(each)
    return found
