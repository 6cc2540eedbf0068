"""The site's own pages from ``docs/``, except the home page.

``<!-- perfnotes:instruments -->`` in such a page is replaced by the list of all instruments, each
described by the docstring of its module, ``guides`` by the list of all other pages on taking part,
and ``colours`` and ``type`` by samples of the design.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import cast

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.graph.targets import LinkedText
from perfnotes.labs.instruments import instruments
from perfnotes.model.library import SitePage
from perfnotes.site.navigation import contribute_pages
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._numbers import NumbersSection, number_styles
from perfnotes.site.pages._samples import colour_table, type_scale
from perfnotes.site.pages._shown import shown_by
from perfnotes.site.render.body import body_renderer
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.text.joining import joins

_INSTRUMENTS = "<!-- perfnotes:instruments -->"
_GUIDES = "<!-- perfnotes:guides -->"
_SAMPLES = {"colours": colour_table, "type": type_scale}


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    for (id, page_lang), page in site.library.pages.items():
        if id and page_lang == lang:
            make = partial(_page, site, page)
            yield PagePlan(page.url, frozenset(), partial(_shows, site, page), make)


def _shows(site: Site, page: SitePage) -> frozenset[Name]:
    """Return what a page shows of the notes. An edit of ``docs/`` makes all pages again."""
    return frozenset(shown_by(site, site.graph.links[f"docs/{page.file}"]))


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    for (id, page_lang), page in site.library.pages.items():
        if id and page_lang == lang:
            yield PageAddress(page.url, f"{site.settings.docs}/{page.file}")


def page_of(site: Site, text: LinkedText) -> Iterator[Page]:
    """Yield the page of a text of ``docs/``."""
    if text.kind == "page" and text.id:
        yield _page(site, site.library.pages[text.id, text.lang])


def _page(site: Site, page: SitePage) -> Page:
    id, lang = page.id, page.lang
    links = site.graph.links[f"docs/{page.file}"]
    rendered = body_renderer(site, lang).render(links, page.url)
    body, markdown = (_with_instruments(text) for text in (rendered.staged, rendered.markdown))
    guides, guides_markdown = _guides(site, page)
    body, markdown = body.replace(_GUIDES, guides), markdown.replace(_GUIDES, guides_markdown)
    plain = body
    for name, make in _SAMPLES.items():
        body = body.replace(f"<!-- perfnotes:{name} -->", make(lang))
        markdown = markdown.replace(f"<!-- perfnotes:{name} -->", "")
    numbers = NumbersSection(site, page.url, lang, lang).staged(rendered.numbers)
    file = f"{site.settings.docs}/{page.file}"
    twins = {other: p.url for (i, other), p in site.library.pages.items() if i == id}
    return Page(
        url=page.url,
        lang=lang,
        title=page.meta.title,
        title_id=id.rpartition("/")[2],
        description=page.meta.description,
        body=f"{body}\n{numbers}" if numbers else body,
        markdown=f"# {escape_markdown(page.meta.title)}\n\n{markdown}",
        kind="document",
        section=id,
        alternates=twins if len(site.library.languages) > 1 else {},
        edit=site.repository.edit(file),
        source=file,
        files=rendered.files,
        findings=rendered.findings,
        styles=("evidence", "design") if body != plain else number_styles(numbers),
    )


def _guides(site: Site, page: SitePage) -> tuple[str, str]:
    """Return a list of the other pages on taking part, as HTML and as Markdown."""
    lang, items, rows = page.lang, [], []
    colon = joins(lang).colon
    for title, address, about in contribute_pages(site, lang):
        if address == page.url:
            continue
        href, shown = escape(relative(page.url, address)), escape(about)
        own = lang_attribute(title, lang)  # of a page that exists in English alone
        items.append(f'<li{own}><a href="{href}">{escape(title)}</a>{colon}{shown}</li>')
        there = relative(page.url, markdown_file(address))
        rows.append(f"- [{escape_markdown(title)}]({there}){colon}{escape_markdown(about)}\n")
    return block(["<ul>", *items, "</ul>"]), "".join(rows)


def _with_instruments(text: str) -> str:
    return text.replace(_INSTRUMENTS, _instruments()) if _INSTRUMENTS in text else text


def _instruments() -> str:
    """Return a Markdown list with the docstring of each instrument's module."""
    items = []
    for each in instruments().values():
        paragraphs = inspect.cleandoc(cast(ModuleType, each).__doc__ or "").split("\n\n")
        lines = [" ".join(p.split()).replace("``", "`") for p in paragraphs]
        items.append(f"- {lines[0]}\n\n" + "".join(f"    {line}\n\n" for line in lines[1:]))
    return "".join(items)
