"""The sitemap (sitemaps.org), with the address of each page in other languages (hreflang).

It is left out if the site's address is not set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree as ET

from perfnotes.graph.site import Site
from perfnotes.site.page import Page

_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


def listings(site: Site, pages: Iterable[Page]) -> Iterator[tuple[str, bytes]]:
    base = site.settings.url
    if not base:
        return
    root = ET.Element("urlset", {"xmlns": _SITEMAP, "xmlns:xhtml": _XHTML})
    for page in sorted(pages, key=lambda p: p.url):
        entry = ET.SubElement(root, "url")
        ET.SubElement(entry, "loc").text = base + quote(page.url)
        note = site.library.notes.get(page.note)
        if note and (day := site.updated(note)):
            ET.SubElement(entry, "lastmod").text = day
        if len(page.alternates) > 1:
            for lang, address in sorted(page.alternates.items()):
                href = base + quote(address)
                attributes = {"rel": "alternate", "hreflang": lang, "href": href}
                ET.SubElement(entry, "xhtml:link", attributes)
    ET.indent(root)
    text = ET.tostring(root, encoding="utf-8")
    yield "sitemap.xml", b'<?xml version="1.0" encoding="utf-8"?>\n' + text + b"\n"
    if urlsplit(base).path == "/":  # robots read robots.txt only at the root of a host
        yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n".encode()
