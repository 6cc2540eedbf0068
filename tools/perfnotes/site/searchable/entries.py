"""Documents of terms, labs, facts, references and pages of the site, each made by itself.

An ``Entry`` says what its documents are made from. So after an edit of one term, the documents of
all others are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.model.fact import Entity
from perfnotes.model.lab import Lab
from perfnotes.model.library import SitePage
from perfnotes.model.reference import Reference
from perfnotes.model.term import Term
from perfnotes.search.blocks import body_blocks, plain_blocks, without_markup
from perfnotes.search.document import Block, SearchDocument, split
from perfnotes.site.page_plan import Name
from perfnotes.site.pages._facts import fact_value, own_name
from perfnotes.site.searchable.tables import LANGUAGES
from perfnotes.source.bib.citestyle import full_text
from perfnotes.text.joining import joins


class Entry(Struct, frozen=True):
    """A thing with documents of its own, in all languages of the site.

    ``kind`` is the ``kind_of`` the documents, and ``id`` their id. They are made from what has
    these ``names``, and from the prose of the texts at ``paths``.
    """

    kind: str
    id: str
    make: Callable[[], Iterable[SearchDocument]]
    names: tuple[Name, ...] = ()
    paths: tuple[str, ...] = ()


def term_entries(site: Site) -> Iterator[Entry]:
    """Yield the terms of the glossary."""
    for term in site.library.terms.values():
        make = partial(_in_languages, site, partial(_term, site, term))
        yield Entry("term", f"terms/{term.id}", make, (("term", term.id),))


def lab_entries(site: Site) -> Iterator[Entry]:
    """Yield the labs."""
    for id, lab in site.library.labs.items():
        make = partial(_in_languages, site, partial(_lab, site, lab))
        yield Entry("lab", f"labs/{id}", make, (("lab", id), ("note", id), ("tags", id)))


def fact_entries(site: Site) -> Iterator[Entry]:
    """Yield the subjects of facts, such as a GPU."""
    facts = site.library.facts
    for id, entity in facts.entities.items():
        make = partial(_in_languages, site, partial(_entity, site, entity))
        files = (("facts", file.id) for file in facts.files.values() if id in file.entities)
        values = (("fact", fact.id) for fact in entity.facts.values())
        yield Entry("fact", f"facts/{id}", make, (*files, *values))


def reference_entries(site: Site) -> Iterator[Entry]:
    """Yield the references."""
    for key, reference in site.library.references.items():
        annotation = site.library.annotations.get(key)
        path = f"notes/{annotation.file}" if annotation else ""
        make = partial(_reference, site, reference, path)
        yield Entry("paper", f"references/{key}", make, (("reference", key),), (path,) * bool(path))


def page_entries(site: Site) -> Iterator[Entry]:
    """Yield the pages of ``docs/``. After an edit of one, everything is made again."""
    for id, pages in groupby(sorted(site.library.pages.items()), lambda item: item[0][0]):
        here = [page for _, page in pages]
        make = partial(map, partial(_page, site), here)
        yield Entry("page", id or "index", make, (), tuple(f"docs/{page.file}" for page in here))


def spellings(term: Term) -> tuple[str, ...]:
    """Return all names of a term, in both languages."""
    return tuple(dict.fromkeys(s for lang in LANGUAGES for s in term.spellings(lang) if s))


def _in_languages(site: Site, make: Callable[[str], SearchDocument]) -> Iterator[SearchDocument]:
    yield make("en")
    if "zh" in site.library.languages:
        yield replace(make("zh"), is_twin=True)


def _term(site: Site, term: Term, lang: str) -> SearchDocument:
    """Return the document of a term. A note that explains the term has the same names."""
    names = spellings(term)
    return SearchDocument(
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


def _lab(site: Site, lab: Lab, lang: str) -> SearchDocument:
    note = site.library.notes[lab.id]
    return SearchDocument(
        id=f"labs/{lab.id}",
        url=site.addresses.lab(lab.id, lang),
        title=lab.title[lang],
        lang=lang,
        type="lab",
        blocks=(
            Block("", "", without_markup(lab.question[lang]), " ".join(lab.build)),
            *(
                Block("", value.id, without_markup(value.what[lang]))
                for value in lab.shown.values()
            ),
            Block("", "", f"perfnotes reproduce {lab.id}", " ".join(lab.files)),
        ),
        topic=note.topic,
        tags=note.meta.tags,
    )


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


def _reference(site: Site, reference: Reference, path: str) -> Iterator[SearchDocument]:
    """Yield the documents of a reference: the full citation and our annotation at ``path``."""
    links = site.graph.links[path] if path else None
    words = links.prose.without_markup(0, len(links.text.body.document.text)) if links else ""
    people = " ".join(p.name for p in (*reference.authors, *reference.editors))
    document = SearchDocument(
        id=f"references/{reference.key}",
        url=site.addresses.reference(reference.key, "en"),
        title=reference.title or reference.key,
        lang="en",
        type="paper",
        blocks=tuple(split("", "", f"{full_text(reference)} {words}", "")),
        names=(reference.title, reference.key),
        extra=f"{people} {reference.venue} {reference.year} {reference.key} "
        f"{' '.join(reference.keywords)}",
    )
    yield document
    if "zh" in site.library.languages:
        url = site.addresses.reference(reference.key, "zh")
        yield replace(document, url=url, lang="zh", is_copy=True, is_twin=True)


def _page(site: Site, page: SitePage) -> SearchDocument:
    return SearchDocument(
        id=page.id or "index",
        url=page.url,
        title=page.meta.title,
        lang=page.lang,
        type="page",
        blocks=tuple(body_blocks(site.graph.links[f"docs/{page.file}"], page.meta)),
        names=(page.meta.title,) if page.id else (),
        is_twin=page.lang != "en" and (page.id, "en") in site.library.pages,
    )
