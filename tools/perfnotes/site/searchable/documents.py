"""The Documents of a site, which the search finds. They are made from the notes, not from HTML.

A folder that was not written for perfnotes has a document for each page. The site of perfnotes'
own notes also has documents for references, glossary terms, tags, topics, labs, facts, check codes
and commands; ``besides_notes.py`` makes these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import symptoms_of, translations_of
from perfnotes.model.note import Meta, Note
from perfnotes.model.symptom import Symptom
from perfnotes.model.translation import Translation
from perfnotes.search.blocks import body_blocks
from perfnotes.search.document import Block, SearchDocument
from perfnotes.site.searchable.besides_notes import documents_besides_notes
from perfnotes.site.searchable.entries import Entry, spellings

_FOLDER_PAGES = ("index", "readme")  # names of files that introduce their folder


def documents(
    site: Site,
    known: Mapping[str, Iterable[SearchDocument]] | None = None,
    others: Mapping[str, Iterable[SearchDocument]] | None = None,
    known_of: Callable[[Entry], Iterable[SearchDocument]] = lambda _: (),
) -> Iterator[SearchDocument]:
    """Yield every document: notes grouped by topic, each translation right after its original.

    Documents that need not be made again are given: in ``known`` those of notes, by
    ``document_id``; in ``others`` those of other kinds, by ``kind_of``; by ``known_of`` those of
    an entry.
    """
    library = site.library
    for group in library.by_topic.values():
        for note in group:
            yield from (known or {}).get(document_id(site, note)) or _of_note(site, note)
    if library.own:
        yield from documents_besides_notes(site, others, known_of)
    else:
        for id, note in sorted(library.introductions.items()):
            yield _introduction(site, id, note)


def document_id(site: Site, note: Note) -> str:
    """Return the id of a note's documents."""
    return note.id if site.library.own else page_id(note.file)


def page_id(file: str) -> str:
    """Return the id of a page of a foreign folder: its path without the extension.

    A file ``index`` or ``readme`` has the path of its folder, or ``index`` at the top.
    """
    path = file.rpartition(".")[0]
    folder, _, name = path.rpartition("/")
    return folder or "index" if name.lower() in _FOLDER_PAGES else path


def _of_note(site: Site, note: Note) -> Iterator[SearchDocument]:
    document = _note(site, note)
    yield document
    twin = site.library.translations.get(note.id)
    translated = _twin(site, twin) if twin else document
    if twin:
        yield translated
    for symptom in symptoms_of(note):
        yield _symptom(symptom.symptom, document)
        for translation in translations_of(site, note):
            for said in translation.meta.symptoms:
                if said.id == symptom.symptom.id:
                    found = _symptom(said, translated)
                    yield replace(found, lang=translation.lang, is_twin=True)


def _symptom(said: Symptom, document: SearchDocument) -> SearchDocument:
    """Return the document of a symptom; ``document`` is that of its note in the same language.

    A result that shows a symptom opens at the top of the note, which says what the cause is, unless
    the symptom names a heading that answers better (``opens``).
    """
    see, confirm = (" ".join(text.replace("`", "").split()) for text in (said.see, said.confirm))
    return SearchDocument(
        id=document.id,
        url=document.url,
        title=document.title,
        lang=document.lang,
        type="note",
        blocks=(Block(said.opens, see, confirm),),
        topic=document.topic,
        level=document.level,
        tags=document.tags,
        extra="\n".join(said.also),
        symptom=said.id,
    )


def _note(site: Site, note: Note) -> SearchDocument:
    links = site.graph.links[f"notes/{note.file}"]
    terms = [t for t in site.library.terms.values() if t.note == note.id]
    groups = tuple(spellings(t) for t in terms)
    spelled = [s for group in groups for s in group]
    return SearchDocument(
        id=document_id(site, note),
        url=site.addresses.note(note, "en"),
        title=note.meta.title,
        lang=note.lang,
        type="note",
        blocks=tuple(body_blocks(links, note.meta)),
        topic=note.topic,
        level=note.meta.level,
        tags=note.meta.tags,
        tag_names=_tag_names(site, note.meta),
        names=(note.meta.title, *note.meta.aliases, *dict.fromkeys(spelled)),
        groups=groups,
        asked="\n".join(note.meta.asked),
    )


def _twin(site: Site, twin: Translation) -> SearchDocument:
    note = twin.note
    return SearchDocument(
        id=note.id,
        url=twin.url,
        title=twin.meta.title,
        lang=twin.lang,
        type="note",
        blocks=tuple(body_blocks(site.graph.links[f"notes/{twin.file}"], twin.meta)),
        topic=note.topic,
        level=note.meta.level,
        tags=note.meta.tags,
        tag_names=_tag_names(site, note.meta),
        names=(twin.meta.title, *twin.meta.aliases),
        asked="\n".join(twin.meta.asked),
        is_twin=True,
    )


def _introduction(site: Site, id: str, note: Note) -> SearchDocument:
    return SearchDocument(
        id=page_id(note.file),
        url=site.addresses.topic(id, "en"),
        title=note.meta.title,
        lang=note.lang,
        type="note",
        blocks=tuple(body_blocks(site.graph.links[f"notes/{note.file}"], note.meta)),
        topic=id,
        tags=note.meta.tags,
        names=(note.meta.title, *note.meta.aliases),
    )


def _tag_names(site: Site, meta: Meta) -> tuple[str, ...]:
    """Return the ids and names, in both languages, of a note's tags."""
    tags = [site.library.tags[t] for t in meta.tags if t in site.library.tags]
    return tuple(dict.fromkeys(word for t in tags for word in (t.id, t.name.en, t.name.zh) if word))
