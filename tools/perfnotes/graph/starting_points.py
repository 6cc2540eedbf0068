"""Where to begin in a topic: introductory notes first, then those that most others build on.

A note's weight is the number of notes that require it plus the number of notes that link to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfnotes.graph.graph import Graph
from perfnotes.model.note import LEVELS, Note

_RANKS = {level: i for i, level in enumerate(LEVELS)}
_NO_LEVEL = 1


def weights(graph: Graph) -> dict[str, int]:
    """Return the weight of each note, by id."""
    found = dict.fromkeys(graph.library.notes, 0)
    for note in graph.library.notes.values():
        for id in dict.fromkeys(note.meta.requires):
            if id in found:
                found[id] += 1
    for id in found:
        found[id] += len({edge.source for edge in graph.inbound.get(id, ())})
    return found


def beginnings(notes: Sequence[Note], weight: dict[str, int], most: int) -> list[Note]:
    """The best notes to begin with, at most ``most``; equal ones stay in reading order."""

    def rank(note: Note) -> tuple[int, int]:
        return _RANKS.get(note.meta.level, _NO_LEVEL), -weight[note.id]

    return sorted(notes, key=rank)[:most]
