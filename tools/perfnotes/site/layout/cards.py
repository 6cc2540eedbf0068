"""Layout by group: each group is a card, with its members in columns and what belongs to it below.

A node without a group goes to the card with which most of its edges are. The cards fill columns in
the order of the groups, each where the columns are lowest. One pass over nodes and edges is enough,
so thousands of nodes take no time worth mention.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

Point = tuple[float, float]

_TALLEST = 20  # members in one column of a card
_WIDE = 19.0  # width of such a column, with room for names
_ROW = 1.6  # distance of the members in a column
_FIRST_STEP = 1.0  # distance of the nodes of ``first`` below the members
_STEP = 0.65  # distance of the other nodes below the members
# The distance between two columns of cards.
_BESIDE = 4.0
# The distance between two cards of a column, with room for the name of a group.
_BELOW = 3.8
_BROAD = 1.1  # ratio of the picture's width to its height


def homes(groups: Sequence[int], edges: Sequence[tuple[int, int, float]]) -> list[int]:
    """Return the group of each node.

    A node without a group, -1, gets the group to which its edges have the most weight together.
    """
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


def cards(
    groups: Sequence[int],
    edges: Sequence[tuple[int, int, float]],
    first: Collection[int] = (),
) -> list[Point]:
    """Return the positions of nodes 0, 1, …, where 1.6 is the distance of two members of a group.

    ``groups`` holds the group of each node, or -1 for none. ``edges`` are pairs of nodes with a
    weight. Nodes of ``first`` without a group stand in rows of their own, before the others.
    """
    degree = [0] * len(groups)
    for a, b, _ in edges:
        degree[a] += 1
        degree[b] += 1
    members: dict[int, tuple[list[int], list[int]]] = {}
    for node, home in enumerate(homes(groups, edges)):
        members.setdefault(home, ([], []))[groups[node] < 0].append(node)
    drawn = []
    for _, (own, below) in sorted(members.items()):
        # Beside the last one of a row is room for its name: it is the one with the most edges.
        early = sorted((n for n in below if n in first), key=lambda n: (degree[n], -n))
        late = sorted((n for n in below if n not in first), key=lambda n: (-degree[n], n))
        drawn.append(_card(own, early, late))
    if not drawn:
        return []
    area = sum(columns * (_WIDE + _BESIDE) * (high + _BELOW) for _, columns, high in drawn)
    broadest = max(columns for _, columns, _ in drawn)
    filled = [0.0] * max(broadest, round(math.sqrt(area * _BROAD) / (_WIDE + _BESIDE)))
    places: list[Point] = [(0.0, 0.0)] * len(groups)
    for nodes, columns, high in drawn:
        tops = [max(filled[i : i + columns]) for i in range(len(filled) - columns + 1)]
        top = min(tops)
        at = tops.index(top)
        filled[at : at + columns] = [top + high + _BELOW] * columns
        for node, (x, y) in nodes.items():
            places[node] = (round(at * (_WIDE + _BESIDE) + x, 3), round(top + y, 3))
    return places


def _card(
    own: Sequence[int], early: Sequence[int], late: Sequence[int]
) -> tuple[dict[int, Point], int, float]:
    """Return the places of a card's nodes within it, the number of its columns and its height."""
    places: dict[int, Point] = {}
    columns = max(1, math.ceil(len(own) / _TALLEST))
    rows = math.ceil(len(own) / columns)
    for i, node in enumerate(own):
        column, row = divmod(i, rows)
        places[node] = (column * (_WIDE + _BESIDE), row * _ROW)
    wide = columns * (_WIDE + _BESIDE) - _BESIDE
    high = rows * _ROW + 0.2
    for nodes, step in ((early, _FIRST_STEP), (late, _STEP)):
        in_row = math.floor(wide / step)
        for i, node in enumerate(nodes):
            row, column = divmod(i, in_row)
            places[node] = (column * step, high + row * step)
        high += math.ceil(len(nodes) / in_row) * step
    return places, columns, high
