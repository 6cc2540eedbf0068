"""The foot of a page: what a reader who found something can do about it, and who wrote a note."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from perfnotes.graph.site import Site
from perfnotes.model.contributor import MOST_NAMES
from perfnotes.site.page import Page
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import string


def place(site: Site, url: str) -> str:
    """A page as a report names it: its whole address, or the part below the site's root."""
    return site.settings.url + quote(url) if site.settings.url else f"/{url}"


def foot(site: Site, page: Page, *more: tuple[str, str]) -> str:
    """HTML: links to change the page and to report what is wrong; nothing where none leads on.

    ``more`` are pairs of a key of the site's words and an address.
    """
    if not page.edit:
        return ""
    where, report = place(site, page.url), site.repository.report
    pairs = [
        ("edit", page.edit),
        ("report", report("wrong-fact", f"{page.title}: ", page=where)),
        ("report_link", report("dead-link", f"{page.title}: ", page=where)),
        *more,
    ]
    links = [
        f'<a href="{escape(address)}">{string(key, page.lang)}</a>'
        for key, address in pairs
        if address
    ]
    return f'<p class="pn-foot">{" · ".join(links)}</p>'


def credit(names: Sequence[str], lang: str) -> str:
    """HTML: the contributors of a note; nothing where nobody knows them."""
    if not names:
        return ""
    zh = lang == "zh"
    said = ("、" if zh else ", ").join(names[:MOST_NAMES])
    rest = len(names) - MOST_NAMES
    if rest > 0:
        said += string("contributors_more", lang, n=rest)
    label = f"{string('contributors', lang)}{'：' if zh else ': '}"
    return f'<p class="pn-credit">{label}{escape(said)}</p>'
