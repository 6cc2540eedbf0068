"""Typos: finds the words of the index that are nearest to a word that the index lacks."""

from __future__ import annotations

from collections.abc import Iterable

from perfnotes.search.constants import MOST_CORRECTIONS


def most_slips(word: str) -> int:
    """Return the greatest distance of a correction from ``word``: 0, 1 or 2, by its length."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


def distance(typed: str, word: str, most: int, *, prefix: bool) -> int:
    """Return how many letters were changed, left out, added or swapped with their neighbour.

    This is the optimal string alignment distance. A distance above ``most`` is returned as
    ``most + 1``. With ``prefix``, the result is the least distance to any beginning of ``word``.
    """
    if not prefix and abs(len(typed) - len(word)) > most:
        return most + 1
    word = word[: len(typed) + most]
    before: list[int] = []
    last = list(range(len(word) + 1))
    for i, char in enumerate(typed, 1):
        row = [i]
        for j, other in enumerate(word, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != other))
            if i > 1 and j > 1 and char == word[j - 2] and typed[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return min(last) if prefix else last[-1]


def nearest(
    typed: str, words: Iterable[tuple[str, int]], *, prefix: bool, most: int
) -> list[tuple[str, int]]:
    """Return the words nearest to ``typed``, at most ``MOST_CORRECTIONS``, with their distances.

    No distance is more than ``most``.
    ``words`` are pairs of a word and how common it is. The nearest come first, and of equally near
    ones the commonest. Words that are more than 0.5 further away than the nearest are left out.
    With ``prefix``, the distance from ``typed`` to the beginning of a longer word counts too, plus
    0.5; if ``typed`` has less than nine letters, that distance may be at most 1.
    """
    found: list[tuple[float, int, str, int]] = []
    for word, common in words:
        slips = distance(typed, word, most, prefix=False)
        rank = float(slips)
        if prefix and slips > 1 and len(word) > len(typed):
            begun = distance(typed, word, most, prefix=True)
            if begun <= (1 if len(typed) < 9 else most) and begun + 0.5 < rank:
                slips, rank = begun, begun + 0.5
        if slips <= most:
            found.append((rank, -common, word, slips))
    found.sort()
    best = found[0][0] if found else 0.0
    return [
        (word, slips) for rank, _, word, slips in found[:MOST_CORRECTIONS] if rank <= best + 0.5
    ]
