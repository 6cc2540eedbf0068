"""The Graph: which note links which note and cites which reference.

Each edge has the sentence that contains the link or citation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from perfnotes.graph.address import Addresses
from perfnotes.graph.basis import Basis, LinkDifference, basis_of
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
    basis: Basis | None = None  # everything besides a text that its links depend on

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

    A text keeps its links from the graph ``before`` if its body is the same object there and
    nothing has changed that its links lead to.
    """
    texts = list(texts_of(library))
    basis = basis_of(library, texts)
    graph = Graph(library, Addresses(library), basis=basis)
    difference = LinkDifference(before.basis, basis) if before and before.basis else None
    if before and difference and not difference.has_other_evidence:
        graph.evidence = before.evidence  # its verdicts are still valid
    elif before and difference:
        graph.evidence.keep_verdicts(before.evidence, difference.labs)
    resolver = Resolver(library, texts)
    lowered = {key.casefold(): key for key in library.references}
    for text in texts:
        links = before.links.get(text.path) if before else None
        if (
            links is None
            or difference is None
            or links.text.body is not text.body
            or difference.concerns(links)
        ):
            words = basis.zh_titles if text.lang == "zh" else basis.titles
            links = links_of(text, library, words, resolver, graph.evidence, lowered)
        graph.links[text.path] = links
        _add_edges(graph, links)
    return graph


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
