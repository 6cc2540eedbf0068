"""The navigation beside a page, in three groups: topics, what readers look up, how to take part.

The page's own topic comes first and is open. Everything is escaped HTML; the templates only place
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.library import SitePage
from perfnotes.model.note import Note
from perfnotes.model.topic import Topic
from perfnotes.site.page import Page
from perfnotes.site.page_plan import Name
from perfnotes.site.pages import sections
from perfnotes.site.pages._section import CONTRIBUTE, LOOK_UP, Section
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, label_language, string

add_words(
    {
        "nav_topics": ("Topics", "主题"),
        f"nav_{LOOK_UP}": ("Look up", "查阅"),
        f"nav_{CONTRIBUTE}": ("Contribute", "参与"),
    }
)

_MOST_LISTED = 30  # number of notes that the navigation lists; a topic's page lists them all
# Marks the place in the navigation where the template puts the page's table of contents. Escaped
# text never contains it.
_CONTENTS = "\f"


def navigation(site: Site, page: Page, lang: str) -> list[str]:
    """Return the navigation as two pieces of HTML: before and after the page's table of contents.

    The topic of the page comes first and is open; then come the other topics and the sections of
    the site. The table of contents is below the page's own entry. If the navigation has no such
    entry, the first piece is empty.
    """
    # All pages of one folder have the same navigation if it lists none of them, such as papers.
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


class _SharedNavigation(Struct):
    """The navigation of pages that it does not list, each in two pieces of HTML.

    The keys of ``pieces`` are a language, a folder, a topic and a section. ``named`` are the
    addresses that the navigation lists, and the folders above them.
    """

    named: frozenset[str]
    pieces: dict[tuple[str, str, str | None, str], list[str]] = field(default_factory=dict)


def _shared_navigation(site: Site) -> _SharedNavigation:
    """Return the store, which has no pieces yet. ``site.derived`` keeps it."""
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
    topics = _group("topics", "pn-topics-nav", items, label_language(site, lang))
    whole = topics + "".join(_section_groups(site, page, lang))
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
    listed = _listed_notes(notes, index_of(notes, page.note))
    items = []
    for note in listed:
        mark = (
            ""
            if site.addresses.has(note, lang)
            else f' <span class="pn-lang" lang="{lang}">{string("english_only", lang)}</span>'
        )
        link = _item_link(page, site.addresses.note(note, lang), site.title(note, lang), mark=mark)
        contents = _CONTENTS if page.kind == "note" and page.note == note.id else ""
        items.append(f'<li class="md-nav__item">{link}{contents}</li>')
    hidden = len(notes) - len(listed)
    if hidden and topic and topic.id:
        more = string("more", label_language(site, lang), n=hidden)
        link = _item_link(page, site.addresses.topic(topic.id, lang), more)
        items.append(f'<li class="md-nav__item pn-more">{link}</li>')
    return "".join(items)


def listed_in_navigation(notes: Sequence[Note], at: int = 0) -> frozenset[Name]:
    """Return what the navigation of a page shows of ``notes``, those of the page's topic.

    ``at`` is the index of the note that the page belongs to; a page of no note has the first.
    """
    ids = [note.id for note in _listed_notes(notes, at)]
    order = ("order", len(notes) - len(ids), *ids)
    return frozenset({order, *(("note", id) for id in ids)})


def _listed_notes(notes: Sequence[Note], at: int) -> Sequence[Note]:
    """Return the notes that the navigation lists: those around index ``at``."""
    first = max(0, min(at - _MOST_LISTED // 2, len(notes) - _MOST_LISTED))
    return notes[first : first + _MOST_LISTED]


def index_of(notes: Sequence[Note], id: str) -> int:
    """Return the index of the note ``id``, or 0 if it is not among ``notes``."""
    return next((i for i, note in enumerate(notes) if note.id == id), 0)


def _group(key: str, css_class: str, items: list[str], lang: str) -> str:
    """Return a group of the navigation with its heading; empty without items."""
    if not items:
        return ""
    heading = f'<p class="pn-nav-group" id="pn-nav-{key}">{string(f"nav_{key}", lang)}</p>'
    list_ = (
        f'<ul class="md-nav__list {css_class}" aria-labelledby="pn-nav-{key}">{"".join(items)}</ul>'
    )
    return heading + list_


def _section_groups(site: Site, page: Page, lang: str) -> Iterator[str]:
    """Yield the groups below the topics: what to look things up in, and how to take part.

    The second group shows only the page ``contributing``. While a page of the group is read, the
    others stand below that entry. A site without the page ``contributing`` shows them all.
    """
    label_lang = label_language(site, lang)
    listed = site.derived(_listed_sections)

    def items(group: str) -> list[str]:
        sections = (section for section in listed if section.group == group)
        return [
            _item(page, s.url(site, lang), s.title_in(label_lang), strong=page.section == s.name)
            for s in sections
        ]

    yield _group(LOOK_UP, "pn-sections", items(LOOK_UP), label_lang)
    pages = _docs_items(site, page, lang)
    if "contributing" in pages:
        hub = pages.pop("contributing")
        in_group = {*pages, *(s.name for s in listed if s.group == CONTRIBUTE), "contributing"}
        if page.section in in_group:
            below = "".join((*pages.values(), *items(CONTRIBUTE)))
            hub = hub.removesuffix("</li>") + f'<ul class="md-nav__list">{below}</ul></li>'
        yield _group(CONTRIBUTE, "pn-sections", [hub], label_lang)
    else:
        yield _group(CONTRIBUTE, "pn-sections", [*pages.values(), *items(CONTRIBUTE)], label_lang)


def is_same_navigation(site: Site, other: Site) -> bool:
    """Return whether the navigation of two sites lists the same sections.

    The topics and the pages of ``docs/`` have to be the same already.
    """
    return site.derived(_listed_sections) == other.derived(_listed_sections)


def contribute_pages(site: Site, lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield title, address and description of each page on taking part."""
    library = site.library
    for each in _docs_pages(site):
        twin = library.pages.get((each.id, lang), each)
        yield twin.meta.title, twin.url, twin.meta.description
    for section in site.derived(_listed_sections):
        if section.group == CONTRIBUTE:
            yield section.title_in(lang), section.url(site, lang), string(section.lead, lang)


def _docs_pages(site: Site) -> list[SitePage]:
    """Return the pages of ``docs/`` in their order, each in English."""
    pages = site.library.pages
    english = [p for (id, at), p in pages.items() if at == "en" and id and "/" not in id]
    return sorted(english, key=lambda p: (p.meta.order or 999, p.id))


def _docs_items(site: Site, page: Page, lang: str) -> dict[str, str]:
    """Return the pages of ``docs/`` as list items, by id, in their order."""
    found = {}
    for each in _docs_pages(site):
        twin = site.library.pages.get((each.id, lang), each)
        mark = (
            ""
            if twin.lang == lang
            else f' <span class="pn-lang" lang="{lang}">{string("english_only", lang)}</span>'
        )
        strong = page.section == each.id
        found[each.id] = _item(page, twin.url, twin.meta.title, mark=mark, strong=strong)
    return found


def _item(page: Page, address: str, title: str, *, mark: str = "", strong: bool = False) -> str:
    link = _item_link(page, address, title, mark=mark, strong=strong)
    return f'<li class="md-nav__item">{link}</li>'


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
    own = ' lang="en"' if mark else ""  # marked is what exists in English alone
    href = escape(relative(page.url, address))
    return (
        f'<a href="{href}" class="{classes}"{current}>'
        f'<span class="md-ellipsis"{own}>{escape(title)}{mark}</span></a>'
    )
