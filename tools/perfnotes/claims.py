"""Which page claims which address, without making any page: two that claim one are found here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.address import OLD_ID
from perfnotes.findings import Finding
from perfnotes.site import Site
from perfnotes.strings import string


@dataclass(frozen=True, slots=True)
class Claim:
    """An address with the file that findings about its page name, or else the page's title."""

    url: str
    source: str
    title: str = ""


def clashes(site: Site) -> Iterator[Finding]:
    """Pages, and old addresses of notes, that would overwrite a page (PN802)."""
    owners: dict[str, Claim] = {}
    for claim in claims(site):
        other = owners.setdefault(claim.url.casefold(), claim)
        if other is not claim:
            message = (
                f"this page would overwrite that of {other.source or other.title!r} at {claim.url}"
            )
            yield Finding(claim.source, 1, 1, "PN802", message, "rename one of the two")
    pages = {claim.url: claim for claim in owners.values()}
    led: set[str] = set()
    for old in old_addresses(site):
        if old in pages or old in led:
            message = f"a redirect or file would overwrite the page at {old}index.html"
            source = pages[old].source if old in pages else f"{old}index.html"
            yield Finding(source, 1, 1, "PN802", message, "change the alias")
        led.add(old)


def old_addresses(site: Site) -> Iterator[str]:
    """The addresses that lead on to a note that had them once."""
    for note in site.library.notes.values():
        for alias in note.meta.aliases:
            if OLD_ID.match(alias):
                yield from (f"{alias}/" if lang == "en" else f"{lang}/{alias}/"
                            for lang in site.library.languages)  # fmt: skip


def claims(site: Site) -> Iterator[Claim]:
    """Every page's address, in the order in which pages are made."""
    for kind in (_changes, _codes, _documents, _facts, _glossary, _graph, _homes, _labs, _latency,
                 _machines, _notes, _recent, _references, _search, _tags, _topics,
                 _wanted):  # fmt: skip
        for lang in site.library.languages:
            yield from kind(site, lang)


def _changes(site: Site, lang: str) -> Iterator[Claim]:
    for twin in site.library.translations.values():
        if lang == "zh" and twin.is_behind:
            yield Claim(f"{twin.url}changes/", site.library.shown(twin.file))


def _codes(site: Site, lang: str) -> Iterator[Claim]:
    from perfnotes.checks import rules  # noqa: PLC0415 - the checks look at this module

    if lang == "en" and site.library.own and site.library.pages:
        top = site.addresses.section("checks", lang)
        yield Claim(top, "", "Check codes")
        for rule in rules().values():
            yield Claim(f"{top}{rule.code.lower()}/", "", f"{rule.code}: {rule.title}")


def _documents(site: Site, lang: str) -> Iterator[Claim]:
    for (id, page_lang), page in site.library.pages.items():
        if id and page_lang == lang:
            yield Claim(page.url, f"{site.settings.docs}/{page.file}")


def _facts(site: Site, lang: str) -> Iterator[Claim]:
    if site.library.facts.by_id:
        yield Claim(site.addresses.section("facts", lang), "", string("facts", lang))


def _glossary(site: Site, lang: str) -> Iterator[Claim]:
    if site.library.terms:
        yield Claim(site.addresses.section("glossary", lang), "", string("glossary", lang))
    shown = site.library.shown("glossary.yml")
    yield from (Claim(site.addresses.own_term(id, lang), shown) for id in site.library.terms)


def _graph(site: Site, lang: str) -> Iterator[Claim]:
    yield Claim(site.addresses.section("graph", lang), "", string("graph", lang))


def _homes(site: Site, lang: str) -> Iterator[Claim]:
    page = site.library.pages.get(("", lang)) or site.library.pages.get(("", "en"))
    intro = site.library.introductions.get("")
    if page and page.lang == lang:
        yield Claim(site.addresses.home(lang), f"{site.settings.docs}/{page.file}")
    else:
        source = site.library.shown(intro.file) if intro else ""
        yield Claim(site.addresses.home(lang), source, site.settings.name)


def _labs(site: Site, lang: str) -> Iterator[Claim]:
    for id, lab in site.library.labs.items():
        yield Claim(site.addresses.lab(id, lang), lab.source.path)


def _latency(site: Site, lang: str) -> Iterator[Claim]:
    if site.library.latency.rows:
        source = site.library.shown("latency.yml")
        yield Claim(site.addresses.section("latency-numbers", lang), source)


def _machines(site: Site, lang: str) -> Iterator[Claim]:
    if any(site.library.results.values()):
        yield Claim(site.addresses.section("machines", lang), "", string("machines", lang))


def _notes(site: Site, lang: str) -> Iterator[Claim]:
    library = site.library
    for group in library.by_topic.values():
        for note in group:
            twin = library.translations.get(note.id)
            if lang == "en":
                yield Claim(note.url, library.shown(note.file))
            elif twin:
                yield Claim(twin.url, library.shown(twin.file))


def _recent(site: Site, lang: str) -> Iterator[Claim]:
    yield Claim(site.addresses.section("recent", lang), "", string("recent", lang))


def _references(site: Site, lang: str) -> Iterator[Claim]:
    shown = site.library.shown("references.bib")
    for key in site.library.references:
        yield Claim(site.addresses.reference(key, lang), shown)
    if site.library.references:
        yield Claim(site.addresses.section("references", lang), "", string("references", lang))


def _search(site: Site, lang: str) -> Iterator[Claim]:
    yield Claim(site.addresses.section("search", lang), "", string("search", lang))


def _tags(site: Site, lang: str) -> Iterator[Claim]:
    used = [id for id in site.library.tags if site.library.by_tag[id]]
    if used:
        yield Claim(site.addresses.section("tags", lang), "", string("tags", lang))
    shown = site.library.shown("tags.yml")
    yield from (Claim(site.addresses.tag(id, lang), shown) for id in used)


def _topics(site: Site, lang: str) -> Iterator[Claim]:
    for id in site.library.topics:
        if id:
            intro = site.library.introductions.get(id)
            shown = site.library.shown(intro.file if intro else "topics.yml")
            yield Claim(site.addresses.topic(id, lang), shown)


def _wanted(site: Site, lang: str) -> Iterator[Claim]:
    if site.library.own:
        yield Claim(site.addresses.section("help-wanted", lang), site.library.shown("wanted.yml"))
