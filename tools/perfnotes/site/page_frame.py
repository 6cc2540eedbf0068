"""The frame of a page: what the theme's templates show around the article.

It consists of the navigation, the path from the home page, the language switch, and links to the
previous and next page. All of it is made here as escaped HTML; the templates only place it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.site.navigation import navigation
from perfnotes.site.page import Page
from perfnotes.site.page_footer import footer_links
from perfnotes.site.pages import sections
from perfnotes.site.pages.feed import has_feeds
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import label_language, string


def frame(site: Site, page: Page) -> dict[str, Any]:
    """Return the front matter of a staged page. All its strings that are shown are escaped HTML."""
    lang = site_lang(site, page)
    meta: dict[str, Any] = {
        "title": escape(page.title),
        "description": escape(page.description),
        "lang": page.lang,
        "kind": page.kind,
        "home": escape(relative(page.url, site.addresses.home(lang))),
        "nav": navigation(site, page, lang),
        "crumbs": breadcrumbs(site, page, lang),
        "site": escape(site.settings.name),
        "search": escape(relative(page.url, site.addresses.section("search", lang))),
    }
    if len(site.library.languages) > 1:
        meta["languages"] = language_switch(page, lang)
        if site.settings.url:  # search engines want whole addresses
            meta["alternates"] = [
                [k, escape(site.settings.url + quote(v))] for k, v in page.alternates.items()
            ]
    if page.kind == "reference" and (own := lang_attribute(page.title, page.lang)):
        meta["title_lang"] = own
    elif part := part_of_site(site, page, lang):
        meta["part"] = escape(part)
    below = page.foot or footer_links(site, page)
    meta |= {"foot": below} if below else {}
    for name, pair in (("previous", page.previous), ("next", page.next)):
        if pair:
            meta[name] = [escape(pair[0]), escape(relative(page.url, pair[1]))]
    if site.derived(has_feeds):
        meta["feed"] = escape(relative(page.url, site.addresses.feed(lang)))
    if site.settings.url:
        meta["opensearch"] = escape(relative(page.url, site.addresses.opensearch(lang)))
    meta["markdown"] = "index.md"
    meta |= {"data": page.data} if page.data else {}
    meta |= {"styles": list(page.styles)} if page.styles else {}
    meta |= {"preload": list(page.preload)} if page.preload else {}
    meta |= {"scripts": list(page.scripts)} if page.scripts else {}
    return meta


def site_lang(site: Site, page: Page) -> str:
    """Return the language of the part of the site to which the page's address belongs."""
    return "zh" if page.url.startswith("zh/") and "zh" in site.library.languages else "en"


def part_of_site(site: Site, page: Page, lang: str) -> str:
    """Return what a window's title names besides the page, such as "Glossary"; empty for notes.

    A note, its lab, a term and a tag may have one title. A window's title has one language, so it
    names no part beside the title of a work in another.
    """
    label_lang = label_language(site, lang)
    if page.kind == "lab":
        return string("lab", label_lang)
    section = sections().get(page.section)
    if page.kind == "document" or section is None or section.url(site, lang) == page.url:
        return ""
    return section.title_in(label_lang)


def breadcrumbs(site: Site, page: Page, lang: str) -> str:
    """Return list items for the path from the home page to this page; empty for the home page."""
    if page.kind == "home":
        return ""
    label_lang = label_language(site, lang)
    steps = [(string("home", label_lang), site.addresses.home(lang))]
    if page.topic:
        parts = page.topic.split("/")
        for i in range(1, len(parts) + 1):
            topic = site.library.topics.get("/".join(parts[:i]))
            if topic:
                steps.append((topic.title[lang], site.addresses.topic(topic.id, lang)))
        note = site.library.notes.get(page.note)
        if page.kind == "lab" and note:
            steps.append((site.title(note, lang), site.addresses.note(note, lang)))
    elif page.kind != "document" and page.section:  # a page of ``docs/`` may have a section's name
        section = sections()[page.section]
        steps.append((section.title_in(label_lang), section.url(site, lang)))
    steps = [s for s in steps if s[1] != page.url]
    items = [
        f'<li class="md-path__item"><a href="{escape(relative(page.url, address))}" '
        f'class="md-path__link"><span class="md-ellipsis"{lang_attribute(name, label_lang)}>'
        f"{escape(name)}</span></a></li>"
        for name, address in steps
    ]
    return "".join(items) + _place(site, page, label_lang)


def _place(site: Site, page: Page, label_lang: str) -> str:
    """Return an item such as "3 of 12": the note's place in its topic; empty for other pages."""
    if page.kind != "note":
        return ""
    notes = site.library.by_topic[page.topic or ""]
    n = next(i for i, note in enumerate(notes, start=1) if note.id == page.note)
    place = string("place", label_lang, n=n, total=len(notes))
    return f'<li class="md-path__item pn-place"><span>{place}</span></li>'


def language_switch(page: Page, lang: str) -> str:
    """Return list items that link to this page in each language.

    If the page does not exist in a language, the item says so.
    """
    items = []
    for other, name in (("en", "English"), ("zh", "中文")):
        address = page.alternates.get(other)
        if other == lang:
            items.append(
                f'<li class="md-select__item"><a href="./" hreflang="{other}" lang="{other}" '
                f'class="md-select__link" aria-current="true">{name}</a></li>'
            )
        elif address is not None:
            href = escape(relative(page.url, address))
            items.append(
                f'<li class="md-select__item"><a href="{href}" hreflang="{other}" lang="{other}" '
                f'class="md-select__link">{name}</a></li>'
            )
        else:
            missing = string("no_twin", other)
            items.append(
                f'<li class="md-select__item"><a href="./" hreflang="{lang}" lang="{other}" '
                f'class="md-select__link pn-no-twin">{name} <small>{missing}</small></a></li>'
            )
    return "".join(items)
