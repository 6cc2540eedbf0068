"""Layout by group: each group is a card, with its members in columns and what belongs to it below.

A node without a group goes to the card with which most of its edges are. The cards stand on
shelves, in the order of the groups. One pass over nodes and edges is enough, so thousands of nodes
take no time worth mention.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]

_TALLEST = 16  # members in one column of a card
_WIDE = 22.0  # width of such a column, with room for names
_ROW = 1.6  # distance of the members in a column
_STEP = 0.65  # distance of the nodes below
_BESIDE = 2.0  # between two cards of a shelf
_BELOW = 4.0  # between two shelves, with room for the name of a group
_BROAD = 1.6  # width of the whole picture against its height


def homes(groups: Sequence[int], edges: Sequence[tuple[int, int, float]]) -> list[int]:
    """Return the group of each node; a node with -1 gets the one with most weight of its edges."""
    weights: list[dict[int, float]] = [{} for _ in groups]
    for a, b, weight in edges:
        for one, other in ((a, b), (b, a)):
            if groups[one] < 0 <= groups[other]:
                seen = weights[one]
                seen[groups[other]] = seen.get(groups[other], 0.0) + weight
    return [
        group if group >= 0 else max(sorted(found), key=found.__getitem__, default=0)
        for group, found in zip(groups, weights, strict=True)
    ]


def cards(groups: Sequence[int], edges: Sequence[tuple[int, int, float]]) -> list[Point]:
    """Return the positions of nodes 0, 1, …, where 1 is the distance of two members of a group.

    ``groups`` holds the group of each node, or -1 for none. ``edges`` are pairs of nodes with a
    weight.
    """
    degree = [0] * len(groups)
    for a, b, _ in edges:
        degree[a] += 1
        degree[b] += 1
    members: dict[int, tuple[list[int], list[int]]] = {}
    for node, home in enumerate(homes(groups, edges)):
        members.setdefault(home, ([], []))[groups[node] < 0].append(node)
    drawn = [_card(own, sorted(others, key=lambda n: (-degree[n], n)))
             for _, (own, others) in sorted(members.items())]  # fmt: skip
    area = sum((wide + _BESIDE) * (high + _BELOW) for _, wide, high in drawn)
    places: list[Point] = [(0.0, 0.0)] * len(groups)
    limit = math.sqrt(area * _BROAD)
    top = 0.0
    shelf: list[tuple[float, float, float]] = []  # of its cards: the left, the width, the height
    for nodes, wide, high in drawn:
        left = sum(each + _BESIDE for _, each, _ in shelf)
        tallest = max((each for _, _, each in shelf), default=0.0)
        at = (left, top)
        if not shelf or left + wide <= limit:
            shelf.append((left, wide, high))
        elif below := _room_below(shelf, wide, high, tallest):
            i, (left, broad, filled) = below
            at = (left, top + filled + _BELOW)
            shelf[i] = (left, broad, filled + _BELOW + high)
        else:
            top += tallest + _BELOW
            at, shelf = (0.0, top), [(0.0, wide, high)]
        for node, (x, y) in nodes.items():
            places[node] = (round(at[0] + x, 3), round(at[1] + y, 3))
    return places


def _room_below(
    shelf: Sequence[tuple[float, float, float]], wide: float, high: float, tallest: float
) -> tuple[int, tuple[float, float, float]] | None:
    """Return the first card of a shelf that has room for another one below it, and its index."""
    return next(
        (
            (i, card)
            for i, card in enumerate(shelf)
            if card[1] >= wide and card[2] + _BELOW + high <= tallest
        ),
        None,
    )


def _card(own: Sequence[int], others: Sequence[int]) -> tuple[dict[int, Point], float, float]:
    """Return the places of a card's nodes within it, its width and its height."""
    places: dict[int, Point] = {}
    columns = max(1, math.ceil(len(own) / _TALLEST))
    rows = math.ceil(len(own) / columns)
    for i, node in enumerate(own):
        column, row = divmod(i, rows)
        places[node] = (column * _WIDE, row * _ROW)
    wide = columns * _WIDE
    below = rows * _ROW + 0.2
    in_row = max(1, math.floor(wide / _STEP))
    for i, node in enumerate(others):
        row, column = divmod(i, in_row)
        places[node] = (column * _STEP, below + row * _STEP)
    return places, wide, below + math.ceil(len(others) / in_row) * _STEP
