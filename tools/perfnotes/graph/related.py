"""Notes related to a note: by shared links, shared citations and shared tags."""

from __future__ import annotations

from collections import defaultdict
from heapq import nsmallest
from math import log

from perfnotes.graph.graph import Graph
from perfnotes.model.note import Note

_MOST = 5
_CROWD = 200  # a feature that more notes share relates nothing, and takes long to count
_WEIGHTS = {"link": 1.5, "cite": 1.2, "tag": 1.0}
_DIRECT = 2.0


class Related:
    """Scores notes by what they share.

    A shared feature is a note that both link, a reference that both cite, or a common tag. Each
    adds its weight times log(1 + all notes / notes with that feature), the inverse document
    frequency. A link from one of the two notes to the other adds a constant.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._features: dict[str, list[tuple[str, str]]] = {}
        self._sharers: dict[tuple[str, str], list[str]] = defaultdict(list)
        for note in graph.library.notes.values():
            own = [("link", t) for t in graph.outbound.get(note.id, ())]
            own += [("cite", k) for k in graph.cites.get(note.id, ())]
            own += [("tag", t) for t in note.meta.tags]
            self._features[note.id] = own
            for feature in own:
                self._sharers[feature].append(note.id)

    def to(self, note: Note) -> list[Note]:
        """At most five related notes, sorted by score from high to low."""
        total = len(self._graph.library.notes)
        scores: dict[str, float] = defaultdict(float)
        for feature in self._features.get(note.id, ()):
            sharers = self._sharers[feature]
            if 1 < len(sharers) <= _CROWD:
                weight = _WEIGHTS[feature[0]] * log(1 + total / len(sharers))
                for other in sharers:
                    scores[other] += weight
        for other in self._graph.outbound.get(note.id, ()):
            scores[other] += _DIRECT
        for edge in self._graph.inbound.get(note.id, ()):
            scores[edge.source] += _DIRECT
        scores.pop(note.id, None)
        best = nsmallest(_MOST, ((-round(score, 6), id) for id, score in scores.items()))
        return [self._graph.library.notes[id] for _, id in best]
