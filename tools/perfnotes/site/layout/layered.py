"""Layered layout: every edge leads from one column to a later one, with few crossings.

The steps are those of Sugiyama, Tagawa and Toda (1981):

1. Cycles are broken by leaving edges out.
2. The length of the longest path to a node gives its column.
3. An edge over several columns gets a bend in each column that it passes.
4. The nodes of each column are sorted by the barycentres of their neighbours.
5. Each node is moved as near to its neighbours as the order of its column allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

_SWEEPS = 12  # the most passes over all columns


class Layered(Struct, frozen=True):
    """A layered layout.

    ``rank`` maps a node to its column; columns are numbered from 0 without gaps. ``place`` maps a
    node to the position of its middle along the column. ``bends`` maps an edge to its bends: the
    column that the edge passes, and the position in it. ``extent`` is the length of the longest
    column. Positions are in the unit of the nodes' sizes.
    """

    rank: dict[str, int]
    place: dict[str, float]
    bends: dict[tuple[str, str], list[tuple[int, float]]]
    extent: float


class _Columns(Struct):
    """Nodes and bends by column, with their neighbours in the columns before and after."""

    rows: list[list[str]]
    before: dict[str, list[str]] = field(default_factory=dict)
    after: dict[str, list[str]] = field(default_factory=dict)
    chains: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def join(self, source: str, target: str) -> None:
        self.after.setdefault(source, []).append(target)
        self.before.setdefault(target, []).append(source)


def layered(
    sizes: Mapping[str, float],
    edges: Sequence[tuple[str, str]],
    floors: Mapping[str, int],
    gap: float,
) -> Layered:
    """Lay out the nodes of ``sizes``, which maps each node to its extent along the column.

    The order of ``sizes`` is the order in which nodes are placed at first. ``floors`` maps a node
    to the first column that it may be in. ``gap`` is the least distance between two nodes of a
    column. Edges that would close a cycle, loops and edges to unknown nodes are ignored.
    """
    order = list(sizes)
    known = [(a, b) for a, b in dict.fromkeys(edges) if a in sizes and b in sizes and a != b]
    forward = without_cycles(order, known)
    rank = _ranks(order, forward, floors)
    columns = _columns(order, forward, rank)
    _order(columns)
    place = _places(columns, {**dict.fromkeys(_bends(columns), 0.0), **sizes}, gap)
    ends = [place[n] + sizes[n] / 2 for n in order]
    bends = {
        edge: [(rank[edge[0]] + i, place[name]) for i, name in enumerate(chain, start=1)]
        for edge, chain in columns.chains.items()
    }
    return Layered(rank, {n: place[n] for n in order}, bends, max(ends, default=0.0))


def without_cycles(order: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the edges, in the order given, without those that close a cycle.

    A depth-first search follows the nodes in ``order``; it drops the edges that lead back to a node
    of the current path.
    """
    after: dict[str, list[str]] = {}
    for a, b in edges:
        after.setdefault(a, []).append(b)
    state = dict.fromkeys(order, 0)  # 0: not visited, 1: on the path, 2: done
    back: set[tuple[str, str]] = set()
    for start in order:
        path = [(start, iter(after.get(start, ())))] if not state[start] else []
        state[start] = state[start] or 1
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                path.pop()
            elif state[following] == 1:
                back.add((node, following))
            elif not state[following]:
                state[following] = 1
                path.append((following, iter(after.get(following, ()))))
    return [edge for edge in edges if edge not in back]


def _ranks(
    order: Sequence[str], edges: Sequence[tuple[str, str]], floors: Mapping[str, int]
) -> dict[str, int]:
    """Return the column of each node: the length of the longest path to it, at least its floor.

    Empty columns are removed, so the columns are numbered without gaps.
    """
    rank = {n: floors.get(n, 0) for n in order}
    waiting = dict.fromkeys(order, 0)
    after: dict[str, list[str]] = {}
    for a, b in edges:
        waiting[b] += 1
        after.setdefault(a, []).append(b)
    free = [n for n in order if not waiting[n]]
    for node in free:
        for other in after.get(node, ()):
            rank[other] = max(rank[other], rank[node] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                free.append(other)
    used = {r: i for i, r in enumerate(sorted(set(rank.values())))}
    return {n: used[rank[n]] for n in order}


def _columns(
    order: Sequence[str], edges: Sequence[tuple[str, str]], rank: Mapping[str, int]
) -> _Columns:
    columns = _Columns([[] for _ in range(max(rank.values(), default=-1) + 1)])
    linked = {node for edge in edges for node in edge}
    for node in sorted(order, key=lambda n: n not in linked):  # nodes without edges come last
        columns.rows[rank[node]].append(node)
    for a, b in edges:
        chain = [f"{a}\n{b}\n{r}" for r in range(rank[a] + 1, rank[b])]
        for at, name in enumerate(chain, start=rank[a] + 1):
            columns.rows[at].append(name)
        path = [a, *chain, b]
        for one, other in pairwise(path):
            columns.join(one, other)
        columns.chains[a, b] = chain
    return columns


def _bends(columns: _Columns) -> list[str]:
    return [name for chain in columns.chains.values() for name in chain]


def _order(columns: _Columns) -> None:
    """Sort the columns by barycentres, in passes to and fro; keep the order with fewest crossings.

    Nodes without edges stay at the end of their column.
    """
    best, fewest = [list(row) for row in columns.rows], _crossings(columns)
    linked = columns.before.keys() | columns.after.keys()
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        forth = sweep % 2 == 0
        last = len(columns.rows) - 1
        for i in range(1, last + 1) if forth else range(last - 1, -1, -1):
            neighbours = columns.before if forth else columns.after
            fixed = columns.rows[i - 1 if forth else i + 1]
            tied = [name for name in columns.rows[i] if name in linked]
            alone = [name for name in columns.rows[i] if name not in linked]
            columns.rows[i] = _by_barycentre(tied, fixed, neighbours) + alone
        crossings = _crossings(columns)
        if crossings < fewest:
            best, fewest = [list(row) for row in columns.rows], crossings
    columns.rows[:] = best


def _by_barycentre(
    row: list[str], fixed: list[str], neighbours: Mapping[str, list[str]]
) -> list[str]:
    """Sort a row by the mean position of each node's neighbours in the row ``fixed``.

    A node without neighbours there stays at about its place.
    """
    at = {name: i for i, name in enumerate(fixed)}
    keys = {}
    for i, name in enumerate(row):
        places = [at[n] for n in neighbours.get(name, ()) if n in at]
        share = i / max(1, len(row) - 1) * max(0, len(fixed) - 1)
        keys[name] = sum(places) / len(places) if places else share
    return sorted(row, key=lambda name: keys[name])  # sorted() keeps the order of equals


def _crossings(columns: _Columns) -> int:
    """Count the pairs of edges between neighbouring columns that cross."""
    count = 0
    for row, following in pairwise(columns.rows):
        at = {name: i for i, name in enumerate(following)}
        ends = [sorted(at[n] for n in columns.after.get(name, ()) if n in at) for name in row]
        seen: list[int] = []
        for places in ends:
            count += sum(1 for p in places for s in seen if s > p)
            seen += places
    return count


def _places(columns: _Columns, sizes: Mapping[str, float], gap: float) -> dict[str, float]:
    """Return the middle of each node: near the mean of its neighbours in the other columns.

    Nodes of a column are at least ``gap`` apart. The first node begins at 0.
    """
    place: dict[str, float] = {}
    for row in columns.rows:
        at = 0.0
        for name in row:
            place[name] = at + sizes[name] / 2
            at += sizes[name] + gap
    for _ in range(_SWEEPS):
        before = dict(place)
        for forth in (True, False):
            _move_to_neighbours(columns, sizes, gap, place, forth=forth)
        if place == before:
            break  # further passes would change nothing either
    top = min((place[n] - sizes[n] / 2 for n in place), default=0.0)
    return {name: middle - top for name, middle in place.items()}


def _move_to_neighbours(
    columns: _Columns,
    sizes: Mapping[str, float],
    gap: float,
    place: dict[str, float],
    *,
    forth: bool,
) -> None:
    """Move each node to the mean of its neighbours in the columns before it, or after it."""
    neighbours = columns.before if forth else columns.after
    for row in columns.rows if forth else reversed(columns.rows):
        wanted: list[float] = []
        for i, name in enumerate(row):
            near = neighbours.get(name, ())
            if near:
                wanted.append(sum(place[n] for n in near) / len(near))
            elif name in columns.before or name in columns.after or not wanted:
                wanted.append(place[name])
            else:  # no edges: right after the node before it
                wanted.append(wanted[-1] + (sizes[row[i - 1]] + sizes[name]) / 2 + gap)
        for name, middle in zip(row, spaced(row, wanted, sizes, gap), strict=True):
            place[name] = middle


def spaced(
    row: Sequence[str], wanted: Sequence[float], sizes: Mapping[str, float], gap: float
) -> list[float]:
    """Return positions that keep the row's order and gaps and are nearest to ``wanted``.

    Nearest means the least sum of squares. Each node has to be at least a certain distance behind
    the one before it. With these distances subtracted, the problem is an isotonic regression, which
    the pool-adjacent-violators algorithm solves.
    """
    offsets, at = [], 0.0
    for i, name in enumerate(row):
        at += (sizes[row[i - 1]] + sizes[name]) / 2 + gap if i else 0.0
        offsets.append(at)
    pools: list[tuple[float, int]] = []  # mean of a pool, number of its nodes
    for want, offset in zip(wanted, offsets, strict=True):
        mean, count = want - offset, 1
        while pools and pools[-1][0] > mean:
            other, n = pools.pop()
            mean, count = (other * n + mean * count) / (n + count), n + count
        pools.append((mean, count))
    means = [mean for mean, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
