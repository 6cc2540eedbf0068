"""Documents for all that the site of our own notes has besides notes.

These are glossary terms, tags, topics, labs, facts, references, machines, calculators, pages of the
site, check codes and commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from perfnotes.checks import rules
from perfnotes.graph.site import Site
from perfnotes.model.fact import Entity
from perfnotes.model.term import Term
from perfnotes.search.blocks import body_blocks, plain, plain_blocks
from perfnotes.search.document import Block, SearchDocument, split
from perfnotes.site.page_plan import BEYOND_TEXTS
from perfnotes.site.pages import sections
from perfnotes.site.pages._facts import fact_value, own_name
from perfnotes.site.searchable.commandhelp import command_help
from perfnotes.site.searchable.tables import (
    LANGUAGES,
    Pair,
    calculator_documents,
    machine_documents,
    section_documents,
    tool_documents,
)
from perfnotes.site.searchable.unwritten import WANTED, subject_documents
from perfnotes.source.bib.citestyle import full_text
from perfnotes.text.joining import joins

SHOWN: Mapping[str, frozenset[object]] = {
    "term": frozenset({"term"}),
    "tag": frozenset({"tag", "note", "tags"}),
    "topic": frozenset({"note"}),
    "lab": frozenset({"lab", "note"}),
    "fact": frozenset({"fact", "facts"}),
    "paper": frozenset({"reference", "note", "term"}),
    "machine": frozenset({"lab"}),
    "calculator": frozenset({"calculators", "note", "term"}),
    "tool": frozenset({"table tools"}),
    "section": frozenset(BEYOND_TEXTS),
    "page": frozenset({"note", "term", "reference", "headings"}),
    "check": frozenset(),
    "command": frozenset(),
}
"""The kinds of Names of what documents are made from, by ``kind_of``."""


def kind_of(document: SearchDocument) -> str:
    """Return the type of a document; ``section`` for sections and the subjects without a note."""
    section = sections().get(document.id)
    is_section = document.type == "page" and (document.symptom or (section and section.lead))
    return "section" if is_section else document.type


def own_documents(
    site: Site, known: Mapping[str, Iterable[SearchDocument]] | None = None
) -> Iterator[SearchDocument]:
    """Yield all documents but those of notes. A Chinese one follows its English twin.

    ``known`` are documents that need not be made again, by ``kind_of``.
    """
    kinds: tuple[tuple[str, Callable[[Site], Iterator[Pair]]], ...] = (
        ("term", _terms), ("tag", _tags), ("topic", _topics), ("lab", _labs), ("fact", _entities),
        ("paper", _references), ("section", section_documents), ("machine", machine_documents),
        ("calculator", calculator_documents), ("tool", tool_documents),
    )  # fmt: skip
    for kind, make in kinds:
        if known and kind in known:
            yield from known[kind]
        else:
            yield from _in_languages(site, make)
    for kind, make_alone in (("page", _pages), ("check", _codes), ("command", _commands)):
        yield from known[kind] if known and kind in known else make_alone(site)


def _in_languages(site: Site, make: Callable[[Site], Iterator[Pair]]) -> Iterator[SearchDocument]:
    for english, chinese in make(site):
        yield english
        if "zh" in site.library.languages:
            yield replace(chinese, is_twin=True)
        if english.id == WANTED:
            yield from subject_documents(site, english, chinese)


def _terms(site: Site) -> Iterator[Pair]:
    """Yield the glossary terms. A note that explains a term has the same names as the term."""
    for term in site.library.terms.values():
        names = spellings(term)
        en, zh = (
            SearchDocument(
                id=f"terms/{term.id}",
                url=site.addresses.own_term(term.id, lang),
                title=term.title(lang),
                lang=lang,
                type="term",
                blocks=plain_blocks(term.definition[lang]),
                names=(term.name[lang], term.title(lang), *names),
                groups=(names,),
                extra=term.name["zh" if lang == "en" else "en"],
            )
            for lang in LANGUAGES
        )
        yield en, zh


def spellings(term: Term) -> tuple[str, ...]:
    """Return all names of a term, in both languages."""
    return tuple(dict.fromkeys(s for lang in LANGUAGES for s in term.spellings(lang) if s))


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


def _labs(site: Site) -> Iterator[Pair]:
    for lab in site.library.labs.values():
        note = site.library.notes[lab.id]
        en, zh = (
            SearchDocument(
                id=f"labs/{lab.id}",
                url=site.addresses.lab(lab.id, lang),
                title=lab.title[lang],
                lang=lang,
                type="lab",
                blocks=(
                    Block("", "", plain(lab.question[lang]), " ".join(lab.build)),
                    *(Block("", value.id, plain(value.what[lang])) for value in lab.shown.values()),
                    Block("", "", f"perfnotes reproduce {lab.id}", " ".join(lab.files)),
                ),
                topic=note.topic,
                tags=note.meta.tags,
            )
            for lang in LANGUAGES
        )
        yield en, zh


def _entities(site: Site) -> Iterator[Pair]:
    for entity in site.library.facts.entities.values():
        en, zh = (_entity(site, entity, lang) for lang in LANGUAGES)
        yield en, zh


def _entity(site: Site, entity: Entity, lang: str) -> SearchDocument:
    lines = []
    for fact in entity.facts.values():
        what = fact.what[lang] or own_name(fact, lang)
        value = f"{fact_value(site, fact)} {fact.qualifier[lang]}".strip()
        lines.append(f"{what}{joins(lang).colon}{value}")
    return SearchDocument(
        id=f"facts/{entity.id}",
        url=site.addresses.entity(entity.id, lang),
        title=entity.name[lang],
        lang=lang,
        type="fact",
        blocks=plain_blocks(joins(lang).semicolon.join(lines)),
        names=(entity.name[lang], entity.id),
        extra=entity.kind,
    )


def _references(site: Site) -> Iterator[Pair]:
    """Yield the references. The text of a document is the full citation and our annotation."""
    for reference in site.library.references.values():
        note = site.library.annotations.get(reference.key)
        prose = site.graph.links[f"notes/{note.file}"].prose if note else None
        words = prose.plain(0, len(note.body.document.text)) if note and prose else ""
        people = " ".join(p.name for p in (*reference.authors, *reference.editors))
        en, zh = (
            SearchDocument(
                id=f"references/{reference.key}",
                url=site.addresses.reference(reference.key, lang),
                title=reference.title or reference.key,
                lang=lang,
                type="paper",
                blocks=tuple(split("", "", f"{full_text(reference)} {words}", "")),
                names=(reference.title, reference.key),
                extra=f"{people} {reference.venue} {reference.year} {reference.key} "
                f"{' '.join(reference.keywords)}",
            )
            for lang in LANGUAGES
        )
        yield en, replace(zh, is_copy=True)


def _pages(site: Site) -> Iterator[SearchDocument]:
    for (id, lang), page in sorted(site.library.pages.items()):
        yield SearchDocument(
            id=id or "index",
            url=page.url,
            title=page.meta.title,
            lang=lang,
            type="page",
            blocks=tuple(body_blocks(site.graph.links[f"docs/{page.file}"], page.meta)),
            names=(page.meta.title,) if id else (),
            is_twin=lang != "en" and (id, "en") in site.library.pages,
        )


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
