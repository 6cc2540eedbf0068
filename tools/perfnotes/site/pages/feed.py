"""The Atom feed (RFC 4287) of recent changes. It is left out if the site's address is not set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree as ET

from perfnotes.graph.site import Site
from perfnotes.site.pages.recent import newest

_ATOM = "http://www.w3.org/2005/Atom"
_MOST = 30
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    entries = newest(site, _MOST)
    if not site.settings.url or not entries:
        return
    for lang in site.library.languages:
        name = "feed.xml" if lang == "en" else f"{lang}/feed.xml"
        yield name, _feed(site, lang)


def _feed(site: Site, lang: str) -> bytes:
    base = site.settings.url
    entries = newest(site, _MOST)
    home = base + quote(site.addresses.home(lang))
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": lang})
    _add(feed, "title", site.settings.name)
    _add(feed, "id", home)
    _add(feed, "updated", f"{entries[0][0]}T00:00:00Z")
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": home})
    own = base + ("feed.xml" if lang == "en" else f"{lang}/feed.xml")
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": own})
    _add(ET.SubElement(feed, "author"), "name", site.settings.name)
    for day, note in entries:
        entry = ET.SubElement(feed, "entry")
        address = base + quote(site.addresses.note(note, lang))
        _add(entry, "title", site.title(note, lang))
        _add(entry, "id", address)
        link = {"rel": "alternate", "type": "text/html", "href": address}
        if not site.addresses.has(note, lang):
            link["hreflang"] = note.lang
        ET.SubElement(entry, "link", link)
        _add(entry, "updated", f"{day}T00:00:00Z")
        if site.description(note, lang):
            _add(entry, "summary", site.description(note, lang))
    ET.indent(feed)
    text: bytes = ET.tostring(feed, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + text + b"\n"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = _NOT_XML.sub(" ", text)
