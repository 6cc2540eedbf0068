"""Draws a small picture of the notes that lead to a note and of those to which it leads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.site.page import block
from perfnotes.site.pages._map import box_of, map_picture
from perfnotes.site.pages._parts import count, fold
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string

WORDS = {
    "around": ("Around this note", "本文周围"),
    "around_arrow": (
        "On the left the notes that lead here, on the right those to which this one leads. What is "
        "required comes before what is linked.",
        "左边是通向本文的笔记，右边是本文通向的笔记；必读的排在链接的前面。",
    ),
    "fold_around_n": ("{n} notes, as a picture", "{n} 篇笔记，图示"),
    "fold_around_one": ("One note, as a picture", "1 篇笔记，图示"),
    "around_name": ("Notes around “{title}”", "“{title}”周围的笔记"),
    "around_whole": ("The whole graph", "完整图谱"),
}
add_words(WORDS)

_MOST = 5  # notes on a side


def section_of_linked_notes(site: Site, note: Note, url: str, lang: str, label_lang: str) -> str:
    """Return a folded section with the picture; empty if no other note is linked with this one.

    ``lang`` is the part of the site that the page is in, ``label_lang`` the language of its text.
    """
    before, after = sides(site, note)
    notes = [*before, note, *after]
    if len(notes) < 2:
        return ""
    boxes = {n.id: box_of(site, n, url, lang, n.topic != note.topic) for n in notes}
    edges = [(n.id, note.id) for n in before] + [(note.id, n.id) for n in after]
    name = escape(string("around_name", label_lang, title=site.title(note, lang)))
    elsewhere = {n.id for n in notes if n.topic != note.topic}
    picture = map_picture(boxes, edges, {}, name, elsewhere)
    graph = relative(url, site.addresses.section("graph", lang))
    rows = [
        f'<figure class="pn-map"><div class="pn-scroll" role="region" tabindex="0" '
        f'aria-label="{name}">{picture}</div>',
        f"<figcaption>{string('around_arrow', label_lang)} "
        f'<a href="{escape(graph)}">{string("around_whole", label_lang)}</a></figcaption></figure>',
    ]
    summary = count("fold_around", len(notes) - 1, label_lang)
    return f"## {string('around', label_lang)} {{#pn-around}}\n" + block(fold(summary, rows))


def sides(site: Site, note: Note) -> tuple[list[Note], list[Note]]:
    """Return the notes before and after this one; a note that is both comes before."""
    notes = site.library.notes
    linking = (edge.source for edge in site.graph.inbound.get(note.id, ()))
    linked = site.graph.outbound.get(note.id, ())
    requiring = (n.id for n in site.required_by.get(note.id, ()))
    required = list(_known(notes, note.meta.requires, {note.id}))
    builds_on_it = list(_known(notes, requiring, {note.id, *required}))
    taken = {note.id, *required, *builds_on_it}
    leads_to = list(_known(notes, linked, taken))
    comes_from = list(_known(notes, linking, {*taken, *leads_to}))
    before = [*required, *comes_from][:_MOST]
    after = [*builds_on_it, *leads_to][:_MOST]
    return [notes[id] for id in before], [notes[id] for id in after]


def _known(notes: dict[str, Note], ids: Iterable[str], but: set[str]) -> Sequence[str]:
    return [id for id in dict.fromkeys(ids) if id in notes and id not in but]
