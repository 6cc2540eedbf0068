"""Notes related to a note: by shared links, shared citations and shared tags."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from heapq import nsmallest
from math import log

from perfnotes.graph.graph import Graph
from perfnotes.model.note import Note

_MOST = 5
# A feature of more notes than this says little about any two of them, and takes long to count.
_MOST_SHARERS = 200
_WEIGHTS = {"link": 1.5, "cite": 1.2, "tag": 1.0}
_DIRECT = 2.0


class Related:
    """Scores notes by what they share.

    A shared feature is a note that both link, a reference that both cite, or a common tag. Each
    adds its weight times log(1 + all notes / notes with that feature), the inverse document
    frequency. A link from one of the two notes to the other adds a constant.

    ``other`` belongs to an earlier state of the same notes. If all notes have the same features in
    both states, its results are used again.
    """

    def __init__(self, graph: Graph, other: Related | None = None) -> None:
        self._graph, self._other = graph, other
        if other:
            other._other = None  # frees the states before it

    def to(self, note: Note) -> list[Note]:
        """At most five related notes, sorted by score from high to low."""
        if note.id not in self._found:
            self._found[note.id] = self._nearest(note)
        return [self._graph.library.notes[id] for id in self._found[note.id]]

    @cached_property
    def _found(self) -> dict[str, list[str]]:
        """The related notes of each note that ``to`` was asked for, by id."""
        other = self._other
        if other and (self._features, self._linking) == (other._features, other._linking):
            return other._found
        return {}

    @cached_property
    def _features(self) -> dict[str, list[tuple[str, str]]]:
        found = {}
        for note in self._graph.library.notes.values():
            own = [("link", t) for t in self._graph.outbound.get(note.id, ())]
            own += [("cite", k) for k in self._graph.cites.get(note.id, ())]
            own += [("tag", t) for t in note.meta.tags]
            found[note.id] = own
        return found

    @cached_property
    def _sharers(self) -> dict[tuple[str, str], list[str]]:
        sharers: dict[tuple[str, str], list[str]] = defaultdict(list)
        for id, own in self._features.items():
            for feature in own:
                sharers[feature].append(id)
        return sharers

    @cached_property
    def _linking(self) -> dict[str, list[str]]:
        """By note, the source of each link to it."""
        inbound = self._graph.inbound
        return {id: [edge.source for edge in edges] for id, edges in inbound.items() if edges}

    def _nearest(self, note: Note) -> list[str]:
        total = len(self._graph.library.notes)
        scores: dict[str, float] = defaultdict(float)
        for feature in self._features.get(note.id, ()):
            sharers = self._sharers[feature]
            if 1 < len(sharers) <= _MOST_SHARERS:
                weight = _WEIGHTS[feature[0]] * log(1 + total / len(sharers))
                for other in sharers:
                    scores[other] += weight
        for other in self._graph.outbound.get(note.id, ()):
            scores[other] += _DIRECT
        for source in self._linking.get(note.id, ()):
            scores[source] += _DIRECT
        scores.pop(note.id, None)
        best = nsmallest(_MOST, ((-round(score, 6), id) for id, score in scores.items()))
        return [id for _, id in best]
