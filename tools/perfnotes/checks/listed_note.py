"""PN209: a table that names a note which does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

RULE = Rule(
    code="PN209",
    severity=Severity.ERROR,
    title="A table names a note that does not exist",
    why=(
        "`notes` in `topics.yml` is the reading order of a topic, as file names without `.md`; "
        "`note` in `glossary.yml` is the id of the note that explains a term. When a note is "
        "renamed or removed, the table has to be changed as well."
    ),
    wrong={
        "topics.yml": (
            "- id: caches\n"
            "  title: {en: Caches}\n"
            "  description: {en: What the caches of a CPU do.}\n"
            "  notes: [line, rows]\n"
        )
    },
    right={
        "topics.yml": (
            "- id: caches\n"
            "  title: {en: Caches}\n"
            "  description: {en: What the caches of a CPU do.}\n"
            "  notes: [lines, rows]\n"
        )
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Names in ``topics.yml`` and ``glossary.yml`` that belong to no note and no draft."""
    library = site.library
    known = {*library.notes, *library.drafts}
    yield from _in_topics(library, known)
    glossary = library.sources.get("glossary")
    for term in library.terms.values():
        if glossary and term.note and term.note not in known:
            message = f"the term {term.id!r} names a note that does not exist: {term.note!r}"
            hint = _hint(term.note, known)
            yield glossary.finding(term.note_offset, RULE.code, message, hint)


def _in_topics(library: Library, known: set[str]) -> Iterator[Finding]:
    source = library.sources.get("topics")
    document = yamlfile.load(source)[0] if source else None
    if source is None or document is None:
        return
    index = {place: path[0] for path, place in document.places.items() if path[1:] == ("id",)}
    for topic in library.topics.values():
        slugs = {id.partition("/")[2] for id in known if id.partition("/")[0] == topic.id}
        for i, slug in enumerate(topic.order):
            if slug not in slugs:
                place = document.place((index[topic.offset], "notes", i))
                message = f"the topic {topic.id!r} has no note {slug!r}"
                short = slug.removeprefix(f"{topic.id}/").removesuffix(".md")
                hint = f"write {short!r}" if short in slugs else _hint(slug, slugs)
                yield source.finding(place, RULE.code, message, hint)


def _hint(name: str, known: set[str]) -> str:
    guess = nearest(name, known, 0.7)
    return f"did you mean {guess!r}?" if guess else "correct the name, or remove it"
