"""The page of recent changes: the notes by the day of their last change, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.site.page import Page, block
from perfnotes.site.pages._parts import note_link
from perfnotes.site.pages._section import CONTRIBUTE, Section
from perfnotes.site.render.markup import escape_markdown
from perfnotes.site.strings import add_words, string

WORDS = {
    "recent_lead": ("What was written or changed last.", "最近写成或修改的笔记。"),
}
add_words(WORDS)

SECTION = Section(
    "recent",
    ("Recent changes", "最近更新"),
    exists=lambda site: any(site.updated(note) for note in site.library.notes.values()),
    group=CONTRIBUTE,
    place=20,
    lead="recent_lead",
    names=(("what's new", "changes"), ("更新日志",)),
)

_MOST = 100


def newest(site: Site, most: int = _MOST) -> list[tuple[str, Note]]:
    """Return days (ISO) and notes, the newest first, without notes that have no date."""
    dated = [(site.updated(n), n) for n in site.library.notes.values()]
    dated = [(day, n) for day, n in dated if day]
    dated.sort(key=lambda pair: (pair[0], pair[1].id), reverse=True)
    return dated[:most]


SHOWS = frozenset({"note"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    entries = newest(site)
    if not entries:
        return
    url = SECTION.url(site, lang)
    lead = string("recent_lead", lang)
    parts, markdown = [f"{lead}\n"], [f"# {SECTION.title_in(lang)}\n\n{lead}\n"]
    for day, group in groupby(entries, key=lambda pair: pair[0]):
        notes = [note for _, note in group]
        items = [f"<li>{note_link(site, url, n, lang)}</li>" for n in notes]
        parts.append(f"## {day} {{#d{day}}}\n{block(['<ul>', *items, '</ul>'])}")
        markdown.append(f"\n## {day}\n\n")
        markdown += [
            f"- [{escape_markdown(site.title(n, lang))}]"
            f"({relative(url, markdown_file(site.addresses.note(n, lang)))})\n"
            for n in notes
        ]
    yield Page(
        url=url,
        lang=lang,
        title=SECTION.title_in(lang),
        description=lead,
        body="\n".join(parts),
        markdown="".join(markdown),
        kind="recent",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
    )
