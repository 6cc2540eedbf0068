"""The pages of tags: a page for each tag, and a list of all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.model.tag import Tag
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._section import Section
from perfnotes.site.pages.topic import markdown_list, note_list
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "tags_lead": (
        "The vocabulary by which notes are grouped across topics.",
        "跨主题归类笔记的词表。",
    ),
}
add_words(WORDS)

SECTION = Section(
    "tags",
    ("Tags", "标签"),
    exists=lambda site: any(site.library.by_tag.values()) and bool(site.library.tags),
    place=90,
    lead="tags_lead",
    names=(("all tags",), ("所有标签",)),
)


SHOWS = frozenset({"table tags", "tag", "tags", "note"})


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    none: frozenset[Name] = frozenset()
    used = _used(site, lang)
    if used:
        url = SECTION.url(site, lang)
        yield PagePlan(
            url, none, partial(_list_shows, site, used), partial(_list, site, used, lang)
        )
    for tag in used:
        make = partial(_page, site, tag, lang)
        yield PagePlan(site.addresses.tag(tag.id, lang), none, partial(_shows, site, tag), make)


def _list_shows(site: Site, tags: list[Tag]) -> frozenset[Name]:
    counts = ((tag.id, len(site.library.by_tag[tag.id])) for tag in tags)
    return frozenset((("table tags",), ("counts", *counts), *(("tag", tag.id) for tag in tags)))


def _shows(site: Site, tag: Tag) -> frozenset[Name]:
    """Return what the page of a tag shows."""
    notes = [note.id for note in site.library.by_tag[tag.id]]
    edit = site.edit_table("tags", "tags.yml", tag.offset)
    of_notes = (("note", id) for id in notes)
    return frozenset((("tag", tag.id), ("edit", edit), ("order", *notes), *of_notes))


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    used = [tag.id for tag in _used(site, lang)]
    if used:
        yield PageAddress(SECTION.url(site, lang), "", SECTION.title_in(lang))
    shown = site.library.shown("tags.yml")
    yield from (PageAddress(site.addresses.tag(id, lang), shown) for id in used)


def _used(site: Site, lang: str) -> list[Tag]:
    """Return the tags that notes have, sorted by name."""
    used = [tag for tag in site.library.tags.values() if site.library.by_tag[tag.id]]
    return sorted(used, key=lambda tag: (tag.name[lang].casefold(), tag.id))


def _list(site: Site, tags: list[Tag], lang: str) -> Page:
    url = SECTION.url(site, lang)
    items, rows = [], []
    for tag in tags:
        page = site.addresses.tag(tag.id, lang)
        count = len(site.library.by_tag[tag.id])
        about = escape(tag.description[lang])
        items.append(
            f'<li><a class="pn-tag" href="{escape(relative(url, page))}">'
            f"{escape(tag.name[lang])}</a>"
            f' <span class="pn-count">{count}</span> {about}</li>'
        )
        href = relative(url, markdown_file(page))
        rows.append(
            f"- [{escape_markdown(tag.name[lang])}]({href}){joins(lang).bracketed(str(count))}\n"
        )
    lead = string("tags_lead", lang)
    return Page(
        url=url,
        lang=lang,
        title=SECTION.title_in(lang),
        description=lead,
        body=f"{lead}\n" + block(['<ul class="pn-tags-list">', *items, "</ul>"]),
        markdown=f"# {SECTION.title_in(lang)}\n\n{lead}\n\n{''.join(rows)}",
        kind="tags",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("tags", "tags.yml"),
    )


def _page(site: Site, tag: Tag, lang: str) -> Page:
    url = site.addresses.tag(tag.id, lang)
    notes = site.library.by_tag[tag.id]
    about = tag.description[lang]
    signs = joins(lang)
    also = f"{string('aliases', lang)}{signs.colon}{signs.item.join(tag.aliases)}"
    text = (
        f"{escape_staged(about)}\n\n{escape_staged(also)}\n"
        if tag.aliases
        else f"{escape_staged(about)}\n"
    )
    return Page(
        url=url,
        lang=lang,
        title=tag.name[lang],
        description=about,
        body=f"{text}{note_list(site, notes, url, lang)}",
        markdown=f"# {escape_markdown(tag.name[lang])}\n\n{escape_markdown(about)}\n\n"
        + markdown_list(site, notes, url, lang),
        kind="tag",
        section=SECTION.name,
        alternates=site.alternates(lambda other: site.addresses.tag(tag.id, other)),
        edit=site.edit_table("tags", "tags.yml", tag.offset),
        source=site.library.shown("tags.yml"),
    )
