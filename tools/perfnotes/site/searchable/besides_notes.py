"""Makes the documents of all that the site of our own notes has besides notes.

These are glossary terms, tags, topics, labs, facts, references, places of the page of symptoms,
machines, calculators, pages of the site, check codes and commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from perfnotes.checks import rules
from perfnotes.graph.site import Site
from perfnotes.search.blocks import plain_blocks
from perfnotes.search.document import SearchDocument, split
from perfnotes.site.page_plan import BEYOND_TEXTS
from perfnotes.site.pages import sections
from perfnotes.site.searchable.commandhelp import command_help
from perfnotes.site.searchable.entries import (
    Entry,
    fact_entries,
    lab_entries,
    page_entries,
    reference_entries,
    term_entries,
)
from perfnotes.site.searchable.tables import (
    LANGUAGES,
    PLACES,
    Pair,
    calculator_documents,
    machine_documents,
    place_documents,
    section_documents,
    tool_documents,
)
from perfnotes.site.searchable.unwritten import WANTED, subject_documents

SHOWN: Mapping[str, frozenset[object]] = {
    "tag": frozenset({"tag", "note", "tags"}),
    "topic": frozenset({"note"}),
    "machine": frozenset({"lab"}),
    "calculator": frozenset({"calculators", "note", "term"}),
    "tool": frozenset({"table tools"}),
    "section": frozenset(BEYOND_TEXTS),
    "place": frozenset({"table symptoms"}),
    "check": frozenset(),
    "command": frozenset(),
}
"""The kinds of Names of what documents are made from, by ``kind_of``; those of entries name it
themselves (see ``entries``)."""


def kind_of(document: SearchDocument) -> str:
    """Return the type of a document.

    It is ``place`` for places of the page of symptoms, and ``section`` for sections of the site and
    for the subjects without a note.
    """
    if document.type == "page" and document.id.startswith(PLACES):
        return "place"
    section = sections().get(document.id)
    is_section = document.type == "page" and (document.symptom or (section and section.lead))
    return "section" if is_section else document.type


def documents_besides_notes(
    site: Site,
    known: Mapping[str, Iterable[SearchDocument]] | None = None,
    known_of: Callable[[Entry], Iterable[SearchDocument]] = lambda _: (),
) -> Iterator[SearchDocument]:
    """Yield all documents but those of notes. A Chinese one follows its English twin.

    Documents that need not be made again are given: in ``known`` by ``kind_of``, and by
    ``known_of`` those of an entry.
    """

    def of(kind: str, make: Callable[[Site], Iterator[Pair]]) -> Iterable[SearchDocument]:
        return known[kind] if known and kind in known else _in_languages(site, make)

    def of_entries(entries: Iterable[Entry]) -> Iterator[SearchDocument]:
        for entry in entries:
            yield from known_of(entry) or entry.make()

    yield from of_entries(term_entries(site))
    yield from of("tag", _tags)
    yield from of("topic", _topics)
    yield from of_entries(lab_entries(site))
    yield from of_entries(fact_entries(site))
    yield from of_entries(reference_entries(site))
    yield from of("section", section_documents)
    yield from of("place", place_documents)
    yield from of("machine", machine_documents)
    yield from of("calculator", calculator_documents)
    yield from of("tool", tool_documents)
    yield from of_entries(page_entries(site))
    for kind, make in (("check", _codes), ("command", _commands)):
        yield from known[kind] if known and kind in known else make(site)


def _in_languages(site: Site, make: Callable[[Site], Iterator[Pair]]) -> Iterator[SearchDocument]:
    for english, chinese in make(site):
        yield english
        if "zh" in site.library.languages:
            yield replace(chinese, is_twin=True)
        if english.id == WANTED:
            yield from subject_documents(site, english, chinese)


def _tags(site: Site) -> Iterator[Pair]:
    library = site.library
    for tag in library.tags.values():
        if not library.by_tag.get(tag.id):
            continue
        en, zh = (
            SearchDocument(
                id=f"tags/{tag.id}",
                url=site.addresses.tag(tag.id, lang),
                title=tag.name[lang],
                lang=lang,
                type="tag",
                blocks=plain_blocks(tag.description[lang]),
                tags=(tag.id,),
                names=(tag.name[lang], tag.id, *tag.aliases),
            )
            for lang in LANGUAGES
        )
        yield en, zh


def _topics(site: Site) -> Iterator[Pair]:
    for topic in site.library.topics.values():
        if not site.library.by_topic.get(topic.id):
            continue
        en, zh = (
            SearchDocument(
                id=f"topics/{topic.id}",
                url=site.addresses.topic(topic.id, lang),
                title=topic.title[lang],
                lang=lang,
                type="topic",
                blocks=plain_blocks(f"{topic.description[lang]} {topic.introduction[lang]}"),
                topic=topic.id,
                names=(topic.title[lang], topic.id),
            )
            for lang in LANGUAGES
        )
        yield en, zh


def _codes(site: Site) -> Iterator[SearchDocument]:
    if not site.library.pages:
        return
    for rule in rules().values():
        yield SearchDocument(
            id=f"checks/{rule.code.lower()}",
            url=f"{site.addresses.section('checks', 'en')}{rule.code.lower()}/",
            title=f"{rule.code}: {rule.title}",
            lang="en",
            type="check",
            blocks=plain_blocks(rule.why),
            names=(rule.code, rule.title),
        )


def _commands(site: Site) -> Iterator[SearchDocument]:
    """Yield the commands. A command leads to the first mention of it on a page of the site."""
    for command in command_help():
        name, call = command.name, f"perfnotes {command.name}"
        for (_, lang), page in sorted(site.library.pages.items()):
            at = page.body.document.text.find(call) if lang == "en" else -1
            if at < 0:
                continue
            anchors = [s.id for s in page.body.sections if s.start <= at]
            yield SearchDocument(
                id=f"commands/{name}",
                url=f"{page.url}#{anchors[-1]}" if anchors else page.url,
                title=call,
                lang="en",
                type="command",
                blocks=tuple(split("", "", command.description, command.example)),
                names=(call, name),
            )
            break
