"""The Atom feeds (RFC 4287) of recent changes and of results, one for each language.

They hold the notes by the day of their last change, and what machines answered to labs by the day
on which it was recorded. They are left out if the site's address is not set, or nothing has a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree as ET

from msgspec import Struct

from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim
from perfnotes.model.quantity.amount import amount
from perfnotes.model.result import Result
from perfnotes.model.verdict import HOLDS
from perfnotes.site.pages.recent import newest
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

add_words(
    {
        "feed_result": ("Measured: {title}, on {machine}", "测量：{title}，机器为 {machine}"),
        "feed_holding": ("{n} of {total} claims hold.", "{total} 条论断中有 {n} 条成立。"),
    }
)

_ATOM = "http://www.w3.org/2005/Atom"
# The feed has at most so many notes, and as many results.
_MOST = 30
_SHOWN = 3  # claims of a result that are named
# Characters that XML does not allow. The pattern takes long to compile, so only feeds compile it.
_NOT_XML = r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


class _Entry(Struct, frozen=True):
    """``id`` stays the same when the entry is updated; ``kind`` is ``note`` or ``result``."""

    day: str
    id: str
    kind: str
    title: str
    address: str
    summary: str = ""
    lang: str = ""  # the language of the page at ``address``, if it is not the feed's
    published: str = ""


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    for lang in site.library.languages if site.derived(has_feeds) else ():
        entries = [*_notes(site, lang), *_results(site, lang)]
        entries.sort(key=lambda entry: entry.day, reverse=True)
        yield site.addresses.feed(lang), _feed(site, lang, entries)


def has_feeds(site: Site) -> bool:
    """Return whether the site has feeds: its address is set, and a note or result has a date."""
    return bool(site.settings.url) and bool(newest(site, 1) or _dated_results(site))


def _notes(site: Site, lang: str) -> Iterator[_Entry]:
    for day, note in newest(site, _MOST):
        address = site.settings.url + quote(site.addresses.note(note, lang))
        yield _Entry(
            day=day,
            id=address,
            kind="note",
            title=site.title(note, lang),
            address=address,
            summary=site.description(note, lang),
            lang="" if site.addresses.has(note, lang) else note.lang,
            published=note.meta.date,
        )


def _dated_results(site: Site) -> list[tuple[str, str, str, Result]]:
    """Return the newest results: the day, the lab's id, the machine's id and the result."""
    found = [
        (result.date, id, machine, result)
        for id, results in site.library.results.items()
        for machine, result in results.items()
        if id in site.library.labs and result.date
    ]
    return sorted(found, key=lambda each: each[:3], reverse=True)[:_MOST]


def _results(site: Site, lang: str) -> Iterator[_Entry]:
    for day, id, machine, result in _dated_results(site):
        address = site.settings.url + quote(site.addresses.lab(id, lang))
        title = site.library.labs[id].title[lang]
        yield _Entry(
            day=day,
            id=f"{address}#{quote(machine)}",
            kind="result",
            title=string("feed_result", lang, title=title, machine=machine),
            address=address,
            summary=_claims(site, id, result, lang),
        )


def _claims(site: Site, id: str, result: Result, lang: str) -> str:
    """Return how many claims of a lab hold, and the first numbers of those that do."""
    lab = site.library.labs[id]
    judged = [
        verdict
        for verdict in site.graph.evidence.verdicts(lab, result.machine.id).values()
        if isinstance(verdict.value, Claim)
    ]
    held = [v for v in judged if v.state == HOLDS and v.spread]
    signs = joins(lang)
    shown = [
        f"{v.value.what[lang]}{signs.colon}{amount(v.number, v.value.unit, 3)}"
        for v in held[:_SHOWN]
    ]
    counted = string("feed_holding", lang, n=len(held), total=len(judged)) if judged else ""
    return " ".join(part for part in (counted, signs.semicolon.join(shown)) if part)


def _feed(site: Site, lang: str, entries: list[_Entry]) -> bytes:
    base = site.settings.url
    home = base + quote(site.addresses.home(lang))
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": lang})
    _add(feed, "title", site.settings.name)
    _add(feed, "id", home)
    _add(feed, "updated", _time(entries[0].day))
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": home})
    own = base + site.addresses.feed(lang)
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": own})
    _add(ET.SubElement(feed, "author"), "name", site.settings.name)
    for each in entries:
        entry = ET.SubElement(feed, "entry")
        _add(entry, "title", each.title)
        _add(entry, "id", each.id)
        link = {"rel": "alternate", "type": "text/html", "href": each.address}
        ET.SubElement(entry, "link", link | ({"hreflang": each.lang} if each.lang else {}))
        _add(entry, "updated", _time(each.day))
        if each.published:
            _add(entry, "published", _time(each.published))
        ET.SubElement(entry, "category", {"term": each.kind})
        if each.summary:
            _add(entry, "summary", each.summary)
    ET.indent(feed)
    text: bytes = ET.tostring(feed, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + text + b"\n"


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = re.sub(_NOT_XML, " ", text)
