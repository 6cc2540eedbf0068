"""The addresses of all pages, computed without making the pages, and problems with addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from msgspec import Struct

from perfnotes.graph.site import Site
from perfnotes.model.note import NOTE_ID
from perfnotes.site.page import PageAddress
from perfnotes.site.pages import kinds, sections
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source

# First parts of addresses that no topic may have, beside the names of sections and pages.
_NO_TOPICS = ("zh", "assets", "index", "404")
_TAG_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def address_problems(site: Site) -> Iterator[Finding]:
    """Yield a finding for each problem with an address, without making the pages."""
    yield from collisions(site)
    yield from reserved_topics(site)


def collisions(site: Site) -> Iterator[Finding]:
    """Yield a finding (PN802) for each page or redirect that would overwrite another page."""
    owners: dict[str, PageAddress] = {}
    for page in page_addresses(site):
        other = owners.setdefault(page.url.casefold(), page)
        if other is not page:
            yield from overwriting(page, other)
    pages = {page.url: page for page in owners.values()}
    redirected: set[str] = set()
    for each in old_addresses(site):
        old = each.old
        if old in pages or old in redirected:
            message = f"a redirect or file would overwrite the page at {old}index.html"
            source = (old in pages and pages[old].source) or f"{old}index.html"
            yield Finding(source, 1, 1, "PN802", message, "change the alias")
            message = f"the redirect from this alias would overwrite the page at {old}index.html"
            yield each.source.finding(each.place, "PN802", message, "change the alias")
        redirected.add(old)


def overwriting(one: PageAddress, other: PageAddress) -> Iterator[Finding]:
    """Yield the findings (PN802) for two pages at one address.

    The first page always gets one; the other gets one if it was made from a different file.
    """
    for page, another in ((one, other), (other, one)):
        if page is one or (page.source and page.source != another.source):
            name = another.source or another.title
            message = f"this page would overwrite that of {name!r} at {page.url}"
            yield Finding(page.source or page.url, 1, 1, "PN802", message, "rename one of the two")


class OldAddress(Struct, frozen=True):
    """An address that redirects to the page at ``new``, whose title is ``title``.

    The alias that it comes from stands at the offset ``place`` of ``source``.
    """

    old: str
    new: str
    title: str
    source: Source
    place: int


def old_addresses(site: Site) -> Iterator[OldAddress]:
    """Yield the old addresses of notes and tags, in every language."""
    library, addresses = site.library, site.addresses
    for lang in library.languages:
        for note in library.notes.values():
            for i, alias in enumerate(note.meta.aliases):
                if NOTE_ID.fullmatch(alias):
                    old = f"{alias}/" if lang == "en" else f"{lang}/{alias}/"
                    new, place = addresses.note(note, lang), note.meta.place("aliases", i)
                    yield OldAddress(old, new, site.title(note, lang), note.body.source, place)
        for tag in library.tags.values():
            for alias in filter(_TAG_ID.fullmatch, tag.aliases):
                if library.by_tag.get(tag.id) and alias not in library.tags:
                    old, new = addresses.tag(alias, lang), addresses.tag(tag.id, lang)
                    source = library.sources["tags"]
                    yield OldAddress(old, new, tag.name[lang], source, tag.offset)


def page_addresses(site: Site) -> list[PageAddress]:
    """Return the address of every page, in the order in which the pages are made."""
    return site.derived(_page_addresses)


def _page_addresses(site: Site) -> list[PageAddress]:
    return [
        address
        for kind in kinds()
        for lang in site.library.languages
        for address in addresses_of(kind, site, lang)
    ]


def addresses_of(kind: ModuleType, site: Site, lang: str) -> Iterator[PageAddress]:
    """Yield the addresses of the pages of one kind in one language."""
    if hasattr(kind, "addresses"):
        yield from kind.addresses(site, lang)
    elif hasattr(kind, "SECTION") and kind.SECTION.exists(site):
        section = kind.SECTION
        yield PageAddress(section.url(site, lang), "", section.title_in(lang))


def reserved_topics(site: Site) -> Iterator[Finding]:
    """Yield a finding (PN803) for each topic whose id is already the name of something else.

    That may be a section, a page of the site itself, or a folder such as ``assets``.
    """
    source = site.library.sources.get("topics")
    taken = {id.partition("/")[0] for id, _ in site.library.pages} | {*sections(), *_NO_TOPICS}
    for topic in site.library.topics.values():
        if source and topic.id in taken:
            message = f"a topic cannot be called {topic.id!r}: that address is the site's own"
            yield source.finding(topic.offset, "PN803", message, "choose another id")
