"""Knowledge: the graph of notes, papers and terms for the picture of the whole site.

Nodes without an edge are left out. If there are more nodes than the picture can show, notes are
chosen before papers and papers before terms, and among equals those with more edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from perfnotes.graph.graph import Graph

NOTE, PAPER, TERM = "note", "paper", "term"
KINDS = (NOTE, PAPER, TERM)
REQUIRES, LINKS, CITES, USES = "requires", "links", "cites", "uses"
RELATIONS = (REQUIRES, LINKS, CITES, USES)
# The picture has at most so many nodes.
_MOST = 2000
# The first view shows at most so many papers.
_MOST_PAPERS = 60
_WEIGHTS = {REQUIRES: 0.9, LINKS: 0.5, CITES: 0.35, USES: 0.25}

Shape = tuple[list[int], list[tuple[int, int, float]]]  # groups of the nodes, weighted edges


class Node(Struct, frozen=True):
    """A note, paper or term. Only a note has a ``topic``."""

    kind: str
    id: str
    topic: str = ""


@dataclass(frozen=True)
class Knowledge:
    """The graph: ``edges`` are (from, to, relation), with nodes as their index in ``nodes``.

    ``left_out`` is the number of linked nodes for which the picture has no room.
    """

    nodes: Sequence[Node]
    edges: Sequence[tuple[int, int, str]]
    left_out: int = 0

    @cached_property
    def neighbours(self) -> dict[int, list[tuple[int, str]]]:
        """For each node index, the (index, relation) of every node that its edges lead to."""
        found: dict[int, list[tuple[int, str]]] = {}
        for a, b, relation in self.edges:
            found.setdefault(a, []).append((b, relation))
        return found

    @cached_property
    def first(self) -> frozenset[int]:
        """The nodes of the first view: the notes, and the papers that more than one note cites."""
        citing: dict[int, int] = {}
        for _, b, relation in self.edges:
            if relation == CITES:
                citing[b] = citing.get(b, 0) + 1
        papers = sorted((b for b, n in citing.items() if n > 1), key=lambda b: (-citing[b], b))
        notes = (i for i, node in enumerate(self.nodes) if node.kind == NOTE)
        return frozenset([*notes, *papers[:_MOST_PAPERS]])

    @cached_property
    def topics(self) -> list[str]:
        """The topics of the notes in the graph, in the order of the nodes."""
        return list(dict.fromkeys(n.topic for n in self.nodes if n.kind == NOTE))

    @property
    def shape(self) -> Shape:
        """The input of the layout: per node a group, and edges with their weights.

        A note's group is the index of its topic; papers and terms have -1.
        """
        at = {topic: i for i, topic in enumerate(self.topics)}
        groups = [at[n.topic] if n.kind == NOTE else -1 for n in self.nodes]
        edges = [(a, b, _WEIGHTS[relation]) for a, b, relation in self.edges]
        return groups, edges


def knowledge(graph: Graph, uses: Mapping[str, Sequence[str]]) -> Knowledge:
    """The graph of the whole site; ``uses`` maps a term to the notes whose text contains it."""
    ids = [(NOTE, note.id) for group in graph.library.by_topic.values() for note in group]
    ids += [(PAPER, key) for key in graph.library.references]
    ids += [(TERM, id) for id in graph.library.terms]
    relations = list(_relations(graph, uses))
    degree: dict[tuple[str, str], int] = {}
    for a, b, _ in relations:
        degree[a] = degree.get(a, 0) + 1
        degree[b] = degree.get(b, 0) + 1
    linked = [each for each in ids if each in degree]
    kept = sorted(linked, key=lambda e: (KINDS.index(e[0]), -degree[e]))[:_MOST]
    shown = set(kept)
    at = {each: i for i, each in enumerate(e for e in linked if e in shown)}
    notes = graph.library.notes
    nodes = [Node(k, id, notes[id].topic if k == NOTE else "") for k, id in at]
    edges = [(at[a], at[b], relation) for a, b, relation in relations if a in at and b in at]
    return Knowledge(nodes, edges, len(linked) - len(at))


def is_linked(graph: Graph, uses: Callable[[], Mapping[str, Sequence[str]]]) -> bool:
    """Whether the graph of the whole site has an edge; ``uses`` is called only if that matters."""
    return next(_relations(graph, {}), None) is not None or bool(
        graph.library.terms and next(_relations(graph, uses()), None)
    )


def _relations(
    graph: Graph, uses: Mapping[str, Sequence[str]]
) -> Iterator[tuple[tuple[str, str], tuple[str, str], str]]:
    """Every edge once. For two notes that link each other, only the edge found first."""
    library = graph.library
    seen: set[frozenset[str]] = set()
    for note in library.notes.values():
        for id in dict.fromkeys(note.meta.requires):
            pair = frozenset((note.id, id))
            if id in library.notes and id != note.id and pair not in seen:
                seen.add(pair)
                yield (NOTE, note.id), (NOTE, id), REQUIRES
    for note in library.notes.values():
        for id in graph.outbound.get(note.id, ()):
            pair = frozenset((note.id, id))
            if pair not in seen:
                seen.add(pair)
                yield (NOTE, note.id), (NOTE, id), LINKS
        for key in graph.cites.get(note.id, ()):
            yield (NOTE, note.id), (PAPER, key), CITES
    for term in library.terms.values():
        for id in dict.fromkeys([*([term.note] if term.note else []), *uses.get(term.id, ())]):
            if id in library.notes:
                yield (NOTE, id), (TERM, term.id), USES
