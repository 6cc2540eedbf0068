"""The foot of a page: links to edit the page and to report mistakes, and the note's authors."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from perfnotes.graph.site import Site
from perfnotes.model.contributor import MOST_NAMES
from perfnotes.site.page import Page
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import string


def place(site: Site, url: str) -> str:
    """Return the address that a reader's report gives for a page.

    It is the whole address if the site's own is set, otherwise the path from the site's root.
    """
    return site.settings.url + quote(url) if site.settings.url else f"/{url}"


def foot(site: Site, page: Page, *more: tuple[str, str]) -> str:
    """Return HTML with links to edit the page and to report mistakes in it.

    Empty if the page cannot be edited. ``more`` are further links, as pairs of a key of
    ``strings`` and an address. Links without an address are left out.
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
    """Return HTML that names the contributors of a note; empty if none are known."""
    if not names:
        return ""
    zh = lang == "zh"
    shown = ("、" if zh else ", ").join(names[:MOST_NAMES])
    rest = len(names) - MOST_NAMES
    if rest > 0:
        shown += string("contributors_more", lang, n=rest)
    label = f"{string('contributors', lang)}{'：' if zh else ': '}"
    return f'<p class="pn-credit">{label}{escape(shown)}</p>'
