"""The Graph: which note links which note and cites which reference.

Each edge has the sentence that contains the link or citation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from perfnotes.graph.address import Addresses
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.links import Edge, Links, links_of
from perfnotes.graph.resolve import Resolver
from perfnotes.graph.targets import LinkedText
from perfnotes.model.library import Library
from perfnotes.text.findings import Finding


@dataclass
class Graph:
    """The links of all texts, and the edges between notes and references.

    ``inbound`` and ``cited_by`` hold edges by their target, ``outbound`` and ``cites`` hold targets
    by their source.
    """

    library: Library
    addresses: Addresses
    links: dict[str, Links] = field(default_factory=dict)  # by the text's path
    inbound: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    outbound: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    cited_by: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    cites: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    findings: list[Finding] = field(default_factory=list)
    basis: tuple[object, ...] = ()  # everything besides a text that its links depend on
    resolver: Resolver | None = None

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence(self.library)

    def edges_in(self, edges: list[Edge], lang: str) -> list[Edge]:
        """For each source, its edges in ``lang``, or its English ones if it has none there."""
        translated = {e.source for e in edges if e.lang == lang}
        return [
            e for e in edges if e.lang == lang or (e.lang == "en" and e.source not in translated)
        ]


def texts_of(library: Library) -> Iterator[LinkedText]:
    """Every body of the library that may hold links."""
    for note in library.notes.values():
        yield LinkedText(f"notes/{note.file}", "note", note.id, note.lang, note.topic, note.body)
    for twin in library.translations.values():
        note = twin.note
        yield LinkedText(f"notes/{twin.file}", "note", note.id, twin.lang, note.topic, twin.body)
    for id, intro in library.introductions.items():
        yield LinkedText(f"notes/{intro.file}", "introduction", id, intro.lang, id, intro.body)
    for page in library.pages.values():
        yield LinkedText(f"docs/{page.file}", "page", page.id, page.lang, "", page.body)
    for annotation in library.annotations.values():
        path = f"notes/{annotation.file}"
        yield LinkedText(path, "annotation", annotation.key, "en", "", annotation.body)


def link(library: Library, before: Graph | None = None) -> Graph:
    """Resolve every link and citation of the library.

    If nothing has changed that a link can lead to, texts whose body is the same object as in the
    graph ``before`` keep their links from there.
    """
    texts = list(texts_of(library))
    graph = Graph(library, Addresses(library))
    titles = {n.id: n.meta.title for n in library.notes.values()}
    zh_titles = titles | {t.id: t.meta.title for t in library.translations.values()}
    for term in library.terms.values():
        titles.setdefault(term.id, term.name.en)
        zh_titles.setdefault(term.id, term.name.zh)
    graph.basis = _basis(library, texts, titles, zh_titles)
    same = before if before and before.basis == graph.basis else None
    known = same.links if same else {}
    resolver = (same and same.resolver) or Resolver(library, texts)
    graph.resolver = resolver
    if same:
        graph.evidence = same.evidence  # its verdicts are still valid
    lowered = {key.casefold(): key for key in library.references}
    for text in texts:
        links = known.get(text.path)
        if links is None or links.text.body is not text.body:
            words = zh_titles if text.lang == "zh" else titles
            links = links_of(text, library, words, resolver, graph.evidence, lowered)
        graph.links[text.path] = links
        _add_edges(graph, links)
    return graph


def _basis(
    library: Library, texts: list[LinkedText], titles: dict[str, str], zh_titles: dict[str, str]
) -> tuple[object, ...]:
    """Everything outside a text on which the meaning and wording of its links depend."""
    return (
        library.own,
        {t.path: (t.kind, t.id, t.lang, t.topic, t.body.anchors) for t in texts},
        titles,
        zh_titles,
        {n.id: n.meta.aliases for n in library.notes.values()},
        library.topics,
        library.terms,
        library.references,
        frozenset(library.drafts),
        library.assets,
        frozenset(library.page_assets),
        library.facts,
        library.labs,
        library.results,
        library.calculators,
    )


def _add_edges(graph: Graph, links: Links) -> None:
    graph.findings += links.findings
    for edge in links.edges:
        graph.inbound[edge.target].append(edge)
        if edge.target not in graph.outbound[edge.source]:
            graph.outbound[edge.source].append(edge.target)
    for edge in links.citing:
        graph.cited_by[edge.target].append(edge)
        if edge.target not in graph.cites[edge.source]:
            graph.cites[edge.source].append(edge.target)
