"""Force-directed layout: links pull nodes together, and near nodes push each other apart.

The forces are those of Fruchterman and Reingold (1991). Only nodes at a small distance push each
other; a grid finds them, so the time of a step grows with the number of nodes and not with its
square. The layout uses no random numbers: nodes start around the middle of their group, and the
groups on a circle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

_STEPS = 100
_WORK = 50_000  # about nodes × steps: the more nodes, the fewer steps
_REACH = 2.0  # distance at which nodes stop pushing each other, in ideal distances
_PUSH = 1.4  # strength of the push
_GROUPED = 0.035  # strength of the pull to the middle of a node's group
_TURN = math.pi * (3 - math.sqrt(5))  # the golden angle, which spreads points evenly on a spiral

Point = tuple[float, float]


def spring(
    groups: Sequence[int], edges: Sequence[tuple[int, int, float]], sizes: Sequence[float]
) -> list[Point]:
    """Return the positions of nodes 0, 1, …, where 1 is the ideal distance of linked nodes.

    ``groups`` holds the group of each node, or -1 for none. ``edges`` are pairs of nodes with a
    weight. ``sizes`` are the diameters of the nodes, which should not overlap.
    """
    count = len(groups)
    x, y = _begin(groups, edges)
    centres = _centres(groups, count)
    degree = [1.0] * count
    for a, b, weight in edges:
        degree[a] += weight
        degree[b] += weight
    # Links between two nodes with many links pull less, or all neighbours would crowd together.
    pulls = [(a, b, w / math.sqrt(min(degree[a], degree[b]))) for a, b, w in edges]
    heat = max(1.0, math.sqrt(count) / 6)
    steps = max(20, min(_STEPS, _WORK // max(1, count)))
    for step in range(steps):
        dx, dy = _pushes(x, y, sizes)
        for a, b, weight in pulls:
            ex, ey = x[b] - x[a], y[b] - y[a]
            pull = math.hypot(ex, ey) * weight
            dx[a] += ex * pull
            dy[a] += ey * pull
            dx[b] -= ex * pull
            dy[b] -= ey * pull
        limit = heat * (1 - step / steps) + 0.01
        for i in range(count):
            cx, cy = centres[i]
            mx, my = dx[i] + (cx - x[i]) * _GROUPED, dy[i] + (cy - y[i]) * _GROUPED
            length = math.hypot(mx, my)
            if length > limit:
                mx, my = mx * limit / length, my * limit / length
            x[i] += mx
            y[i] += my
    _separate(x, y, sizes)
    return [(round(a, 3), round(b, 3)) for a, b in zip(x, y, strict=True)]


def _centres(groups: Sequence[int], count: int) -> list[Point]:
    """Return the middle of each node's group; the groups are on a circle, in order."""
    total = max(groups, default=-1) + 1
    if total < 2:
        return [(0.0, 0.0)] * count
    radius = 0.55 * math.sqrt(count)
    middles = [
        (radius * math.cos(angle), radius * math.sin(angle))
        for angle in (2 * math.pi * i / total - math.pi / 2 for i in range(total))
    ]
    return [middles[g] if g >= 0 else (0.0, 0.0) for g in groups]


def _begin(
    groups: Sequence[int], edges: Sequence[tuple[int, int, float]]
) -> tuple[list[float], list[float]]:
    """Return the first positions: members of a group are on a spiral around its middle.

    A node without a group is near the mean of the nodes with a group that it is linked to.
    """
    count = len(groups)
    centres = _centres(groups, count)
    seen: dict[int, int] = {}
    places: list[Point] = []
    for group, (cx, cy) in zip(groups, centres, strict=True):
        n = seen[group] = seen.get(group, -1) + 1
        radius, angle = 0.6 * math.sqrt(n + 0.5), n * _TURN
        places.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
    near: dict[int, list[int]] = {}
    for a, b, _ in edges:
        for one, other in ((a, b), (b, a)):
            if groups[one] < 0 <= groups[other]:
                near.setdefault(one, []).append(other)
    for i, others in near.items():
        mx = sum(places[o][0] for o in others) / len(others)
        my = sum(places[o][1] for o in others) / len(others)
        angle, away = i * _TURN, 0.8 + (i % 7) * 0.1
        places[i] = (mx + away * math.cos(angle), my + away * math.sin(angle))
    return [p[0] for p in places], [p[1] for p in places]


def _pushes(
    x: list[float], y: list[float], sizes: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return the sum of all pushes on each node, as x and y."""
    count = len(x)
    dx, dy = [0.0] * count, [0.0] * count
    far = _REACH * _REACH
    for a, others in _near(x, y, _REACH):
        ax, ay, strength = x[a], y[a], _PUSH * sizes[a]
        for b in others:
            ex, ey = ax - x[b], ay - y[b]
            square = ex * ex + ey * ey
            if square >= far:
                continue
            if square < 1e-4:  # at the same point: push in a direction of their own
                ex, ey, square = 1e-2 * math.cos(a), 1e-2 * math.sin(a), 1e-4
            push = strength * sizes[b] * (1 / square - 1 / far)
            ex *= push
            ey *= push
            dx[a] += ex
            dy[a] += ey
            dx[b] -= ex
            dy[b] -= ey
    return dx, dy


def _near(x: list[float], y: list[float], cell: float) -> Iterator[tuple[int, list[int]]]:
    """Yield each node with other nodes of its grid cell and the cells around; each pair once."""
    grid: dict[tuple[int, int], list[int]] = {}
    for i, (px, py) in enumerate(zip(x, y, strict=True)):
        grid.setdefault((math.floor(px / cell), math.floor(py / cell)), []).append(i)
    none: list[int] = []
    for (cx, cy), members in grid.items():
        around = (
            grid.get((cx + 1, cy), none)
            + grid.get((cx - 1, cy + 1), none)
            + grid.get((cx, cy + 1), none)
            + grid.get((cx + 1, cy + 1), none)
        )
        for n, a in enumerate(members, start=1):
            yield a, members[n:] + around


def _separate(x: list[float], y: list[float], sizes: Sequence[float]) -> None:
    """Move overlapping nodes apart, in at most twelve rounds."""
    for _ in range(12):
        moved = False
        for a, others in _near(x, y, max(sizes, default=1.0)):
            for b in others:
                ex, ey = x[b] - x[a], y[b] - y[a]
                apart, free = math.hypot(ex, ey), (sizes[a] + sizes[b]) / 2
                if apart >= free * 0.999:
                    continue
                if apart < 1e-6:
                    ex, ey, apart = math.cos(a), math.sin(a), 1.0
                by = (free - apart) / 2 / apart if apart < free else 0.0
                x[a] -= ex * by
                y[a] -= ey * by
                x[b] += ex * by
                y[b] += ey * by
                moved = True
        if not moved:
            return
