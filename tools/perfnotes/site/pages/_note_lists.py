"""The lists below the text of a note: what to read next, its references, and its backlinks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from perfnotes.graph.links import Edge
from perfnotes.model.note import Note
from perfnotes.site.page import block
from perfnotes.site.pages._note_title import NoteVersion
from perfnotes.site.pages._parts import count, fold, quote_list, reference_links
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words
from perfnotes.source.bib.citestyle import full_text
from perfnotes.text.prose import shortened

WORDS = {
    "cited_for": ("cited here for", "本文引用处"),
    "references": ("References", "参考文献"),
}
add_words(WORDS)

# How many letters all backlinks of a note quote together, by the language of the page. A Chinese
# letter says more than a Latin one, and takes three bytes.
_LETTERS_OF_BACKLINKS = {"en": 2400, "zh": 1200}


def _folded(version: NoteVersion, key: str, items: list[str]) -> str:
    """Return a heading and a list that opens on demand; empty if there are no items."""
    if not items:
        return ""
    name = f"pn-{key}"
    rows = [f'<ul class="{name}">', *items, "</ul>"]
    return f"## {version.string(key)} {{#{name}}}\n" + block(
        fold(count(f"fold_{key}", len(items), version.text_lang), rows)
    )


def references_section(version: NoteVersion) -> str:
    """Return the list of what the note cites, each with the sentences that cite it."""
    items = []
    for key in cited_keys(version):
        reference = version.site.library.references[key]
        page = version.href(version.site.addresses.reference(key, version.lang))
        quotes = quote_list(version.links.cited[key], version.text_lang)
        words = full_text(reference)
        own = lang_attribute(words, version.text_lang)
        items.append(
            f'<li><a class="pn-ref" href="{page}"{own}>{escape(words)}</a> '
            f"{reference_links(reference)}{_elsewhere(version, key)}"
            f"<details><summary>{version.string('cited_for')}</summary>{quotes}</details></li>"
        )
    return _folded(version, "references", items)


def _elsewhere(version: NoteVersion, key: str) -> str:
    """Return how many notes cite a reference; empty if this note is the only one."""
    notes = {edge.source for edge in version.site.graph.cited_by.get(key, [])}
    if len(notes) < 2:
        return ""
    return f' <span class="pn-cited-in">{count("cited_by", len(notes), version.text_lang)}</span>'


def cited_keys(version: NoteVersion) -> list[str]:
    """Return the keys that the note cites, sorted as in its bibliography."""
    references = version.site.library.references
    return sorted(version.links.cited, key=lambda k: (full_text(references[k]).casefold(), k))


def read_next(version: NoteVersion) -> list[Note]:
    """Return the notes that require this one, then those of related subjects."""
    requiring = version.site.required_by.get(version.note.id, [])
    related = version.site.related.to(version.note)
    return list({note.id: note for note in (*requiring, *related)}.values())


def read_next_section(version: NoteVersion) -> str:
    """Return the section that says what to read next."""
    notes = read_next(version)
    if not notes:
        return ""
    items = [f"<li>{version.link(note)}</li>" for note in notes]
    # Earlier versions had a section of related notes at this address.
    opened = '<ul class="pn-read-next" id="pn-related">'
    heading = f"## {version.string('read_next')} {{#pn-read-next}}\n"
    return heading + block([opened, *items, "</ul>"])


def backlinks_section(version: NoteVersion) -> str:
    """Return the list of notes that link to this one, each with its first words that do.

    The words of a long list are shortened, since readers see it last and load it first.
    """
    graph, notes = version.site.graph, version.site.library.notes
    first: dict[str, Edge] = {}
    for edge in graph.edges_in(graph.inbound.get(version.note.id, []), version.lang):
        first.setdefault(edge.source, edge)
    letters = _LETTERS_OF_BACKLINKS.get(version.text_lang, _LETTERS_OF_BACKLINKS["en"])
    most = letters // max(len(first), 1)
    items = [
        f"<li>{version.link(notes[id])}"
        f"{quote_list([shortened(first[id].sentence, most)], version.text_lang)}</li>"
        for id in by_title(notes, first)
    ]
    return _folded(version, "backlinks", items)


def by_title(notes: Mapping[str, Note], ids: Iterable[str]) -> list[str]:
    """Sort ids of notes by the titles of the original texts, on pages in every language."""
    return sorted(ids, key=lambda id: (notes[id].meta.title.casefold(), id))
