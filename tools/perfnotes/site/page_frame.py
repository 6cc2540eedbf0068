"""The frame of a page: what the theme's templates show around the article.

It consists of the navigation, the path from the home page, the language switch, and links to the
previous and next page. All of it is made here as escaped HTML; the templates only place it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.topic import Topic
from perfnotes.site.page import Page
from perfnotes.site.page_footer import foot
from perfnotes.site.pages import sections
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import string

_WINDOW = 30  # number of notes that the navigation lists; a topic's page lists them all
# Marks the place in the navigation where the template puts the page's table of contents. Escaped
# text never contains it.
_CONTENTS = "\f"


def frame(site: Site, page: Page) -> dict[str, Any]:
    """Return the front matter of a staged page. All its strings that are shown are escaped HTML."""
    lang = site_lang(site, page)
    meta: dict[str, Any] = {
        "title": escape(page.title),
        "description": escape(page.description),
        "lang": page.lang,
        "kind": page.kind,
        "home": _quoted(relative(page.url, site.addresses.home(lang))),
        "nav": navigation(site, page, lang),
        "crumbs": crumbs(site, page, lang),
        "site": escape(site.settings.name),
        "search": _quoted(relative(page.url, site.addresses.section("search", lang))),
    }
    if len(site.library.languages) > 1:
        meta["languages"] = language_switch(page, lang)
        if site.settings.url:  # search engines want whole addresses
            meta["alternates"] = [
                [k, escape(site.settings.url + quote(v))] for k, v in page.alternates.items()
            ]
    below = page.foot or foot(site, page)
    meta |= {"foot": below} if below else {}
    for name, pair in (("previous", page.previous), ("next", page.next)):
        if pair:
            meta[name] = [escape(pair[0]), _quoted(relative(page.url, pair[1]))]
    if site.settings.url:
        meta["feed"] = _quoted(relative(page.url, site.addresses.home(lang) + "feed.xml"))
        meta["opensearch"] = _quoted(relative(page.url, site.addresses.opensearch(lang)))
    meta["markdown"] = "index.md"
    meta |= {"data": page.data} if page.data else {}
    meta |= {"styles": list(page.styles)} if page.styles else {}
    meta |= {"preload": list(page.preload)} if page.preload else {}
    meta |= {"scripts": list(page.scripts)} if page.scripts else {}
    return meta


def site_lang(site: Site, page: Page) -> str:
    """Return the language of the part of the site to which the page's address belongs."""
    return "zh" if page.url.startswith("zh/") and "zh" in site.library.languages else "en"


def _quoted(href: str) -> str:
    return escape(href)


def _words(site: Site, lang: str) -> str:
    return site.library.main_language if lang == "en" else lang


def navigation(site: Site, page: Page, lang: str) -> list[str]:
    """Return the navigation as two pieces of HTML: before and after the page's table of contents.

    The topic of the page comes first and is open; then come the other topics and the sections of
    the site. The table of contents is below the page's own entry. If the navigation has no such
    entry, the first piece is empty.
    """
    # Pages of one folder that the navigation does not name, such as those of papers, share all.
    known = site.derived(_shared_navigation)
    folder = page.url[: page.url.rfind("/", 0, -1) + 1]
    key = (lang, folder, page.topic, page.section)
    is_named = page.kind == "note" or page.url in known.named or page.note
    if not is_named and key in known.pieces:
        return known.pieces[key]
    pieces = _navigation(site, page, lang)
    if not is_named:
        known.pieces[key] = pieces
    return pieces


@dataclass
class _SharedNavigation:
    """Pieces of navigation by language, folder, topic and section, and the addresses in them."""

    named: frozenset[str]
    pieces: dict[tuple[str, str, str | None, str], list[str]] = field(default_factory=dict)


def _shared_navigation(site: Site) -> _SharedNavigation:
    """``site.derived`` keeps it. An address is named also where it begins one that is."""
    topics = [site.addresses.topic(id, lang) for id in site.library.topics for lang in ("en", "zh")]
    notes = [
        site.addresses.note(n, lang) for n in site.library.notes.values() for lang in ("en", "zh")
    ]
    pages = [page.url for page in site.library.pages.values()]
    listed = [s.url(site, lang) for s in site.derived(_listed_sections) for lang in ("en", "zh")]
    named: set[str] = set()
    for address in (*topics, *notes, *pages, *listed):
        parts = address.split("/")
        named.update("/".join(parts[:i]) + "/" for i in range(1, len(parts)))
    return _SharedNavigation(frozenset({*named, ""}))


def _navigation(site: Site, page: Page, lang: str) -> list[str]:
    items = _topic_items(site, page, "", lang)
    if page.topic == "" and site.library.by_topic.get(""):
        items.append(_note_items(site, page, site.library.topics.get(""), lang))
    whole = (
        f'<ul class="md-nav__list pn-topics-nav">{"".join(items)}</ul>'
        f'<ul class="md-nav__list pn-sections">{"".join(_section_items(site, page, lang))}</ul>'
    )
    before, mark, after = whole.partition(_CONTENTS)
    return [before, after] if mark else ["", whole]


def _topic_items(site: Site, page: Page, parent: str, lang: str) -> list[str]:
    """Return the topics directly below ``parent`` as list items, the page's own topic first."""
    current = page.topic or ""

    def is_open(topic: Topic) -> bool:
        return current == topic.id or current.startswith(f"{topic.id}/")

    items = []
    for topic in sorted(site.topics_below(parent), key=is_open, reverse=True):
        open_here = is_open(topic)
        inner = ""
        if open_here:
            below = "".join(_topic_items(site, page, topic.id, lang))
            notes = _note_items(site, page, topic, lang) if current == topic.id else ""
            inner = f'<ul class="md-nav__list">{below}{notes}</ul>' if below or notes else ""
        link = _item_link(
            page, site.addresses.topic(topic.id, lang), topic.title[lang], strong=open_here
        )
        items.append(f'<li class="md-nav__item">{link}{inner}</li>')
    return items


def _note_items(site: Site, page: Page, topic: Topic | None, lang: str) -> str:
    notes = site.library.by_topic.get(topic.id if topic else "", [])
    first, last = _window(notes, page)
    items = []
    for note in notes[first:last]:
        mark = (
            ""
            if site.addresses.has(note, lang)
            else f' <span class="pn-lang">{string("english_only", lang)}</span>'
        )
        link = _item_link(page, site.addresses.note(note, lang), site.title(note, lang), mark=mark)
        contents = _CONTENTS if page.kind == "note" and page.note == note.id else ""
        items.append(f'<li class="md-nav__item">{link}{contents}</li>')
    hidden = len(notes) - (last - first)
    if hidden and topic and topic.id:
        more = string("more", _words(site, lang), n=hidden)
        link = _item_link(page, site.addresses.topic(topic.id, lang), more)
        items.append(f'<li class="md-nav__item pn-more">{link}</li>')
    return "".join(items)


def _window(notes: list[Note], page: Page) -> tuple[int, int]:
    if len(notes) <= _WINDOW:
        return 0, len(notes)
    at = next((i for i, n in enumerate(notes) if n.id == page.note), 0)
    first = max(0, min(at - _WINDOW // 2, len(notes) - _WINDOW))
    return first, first + _WINDOW


def _section_items(site: Site, page: Page, lang: str) -> list[str]:
    words = _words(site, lang)
    items = []
    for section in site.derived(_listed_sections):
        strong = page.section == section.name
        link = _item_link(page, section.url(site, lang), section.title_in(words), strong=strong)
        items.append(f'<li class="md-nav__item">{link}</li>')
    library = site.library
    own = [p for (id, at), p in library.pages.items() if at == "en" and id and "/" not in id]
    for each in sorted(own, key=lambda p: (p.meta.order or 999, p.id)):
        twin = library.pages.get((each.id, lang), each)
        mark = (
            ""
            if twin.lang == lang
            else f' <span class="pn-lang">{string("english_only", lang)}</span>'
        )
        link = _item_link(
            page, twin.url, twin.meta.title, mark=mark, strong=page.section == each.id
        )
        items.append(f'<li class="md-nav__item">{link}</li>')
    return items


def _listed_sections(site: Site) -> list[Section]:
    """Return the sections that the navigation lists, in order."""
    there = [s for s in sections().values() if s.place is not None and s.exists(site)]
    return sorted(there, key=lambda section: section.place or 0)


def _item_link(
    page: Page, address: str, title: str, *, mark: str = "", strong: bool = False
) -> str:
    here = address == page.url
    classes = "md-nav__link md-nav__link--active" if here or strong else "md-nav__link"
    current = ' aria-current="page"' if here else ""
    href = _quoted(relative(page.url, address))
    return (
        f'<a href="{href}" class="{classes}"{current}>'
        f'<span class="md-ellipsis">{escape(title)}{mark}</span></a>'
    )


def crumbs(site: Site, page: Page, lang: str) -> str:
    """Return list items for the path from the home page to this page; empty for the home page."""
    if page.kind == "home":
        return ""
    words = _words(site, lang)
    steps = [(string("home", words), site.addresses.home(lang))]
    if page.topic:
        parts = page.topic.split("/")
        for i in range(1, len(parts) + 1):
            topic = site.library.topics.get("/".join(parts[:i]))
            if topic:
                steps.append((topic.title[lang], site.addresses.topic(topic.id, lang)))
        note = site.library.notes.get(page.note)
        if page.kind == "lab" and note:
            steps.append((site.title(note, lang), site.addresses.note(note, lang)))
    elif page.section in ("tags", "references", "glossary", "tools"):
        section = sections()[page.section]
        steps.append((section.title_in(words), section.url(site, lang)))
    steps = [s for s in steps if s[1] != page.url]
    items = [
        f'<li class="md-path__item"><a href="{_quoted(relative(page.url, address))}" '
        f'class="md-path__link"><span class="md-ellipsis">{escape(name)}</span></a></li>'
        for name, address in steps
    ]
    return "".join(items) + _place(site, page, words)


def _place(site: Site, page: Page, words: str) -> str:
    """Return an item such as "3 of 12": the note's place in its topic; empty for other pages."""
    if page.kind != "note":
        return ""
    notes = site.library.by_topic[page.topic or ""]
    n = next(i for i, note in enumerate(notes, start=1) if note.id == page.note)
    place = string("place", words, n=n, total=len(notes))
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
            href = _quoted(relative(page.url, address))
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
