"""Aligns two lists of lines: which are the same, which were removed, which were added.

``difflib`` alone takes quadratic time if every second line differs, which is minutes for a text of
1 MB. As in a patience diff, lines that occur once in each list are aligned first. ``difflib`` then
aligns the parts between them. A part that is still too long counts as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, pairwise

_MOST = 4_000_000  # pairs of lines that difflib may compare, in all parts together
_CONTEXT = 3  # equal lines that are shown on both sides of a change

# An opcode of difflib: "equal", "replace", "delete" or "insert", then the start and end of lines in
# the old list, then the start and end of the lines in the new list that stand in their place.
Change = tuple[str, int, int, int, int]


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return how ``old`` becomes ``new``, as ``difflib.SequenceMatcher.get_opcodes`` does."""
    if len(old) * len(new) <= _MOST:
        return [*SequenceMatcher(None, old, new).get_opcodes()]
    known: list[Change] = []
    left = _MOST
    anchors = [(-1, -1), *_anchors(old, new), (len(old), len(new))]
    for (before, other), (b, d) in pairwise(anchors):
        a, c = before + 1, other + 1
        pairs = (b - a) * (d - c)
        if old[a:b] == new[c:d]:
            known += [("equal", a, b, c, d)] if a < b else []
        elif 0 < pairs <= left:
            left -= pairs
            aligned = SequenceMatcher(None, old[a:b], new[c:d]).get_opcodes()
            known += [(tag, a + i, a + j, c + k, c + m) for tag, i, j, k, m in aligned]
        else:
            known.append((_kind(a < b, c < d), a, b, c, d))
        known.append(("equal", b, b + 1, d, d + 1))
    return _joined(known[:-1])


def unified(old: Sequence[str], new: Sequence[str], before: str, after: str) -> Iterator[str]:
    """Yield the lines of a unified diff without line ends, as ``difflib.unified_diff`` does.

    ``before`` and ``after`` are the names that the diff gives the old and the new list.
    """
    aligned = _Aligned(old, new)
    for i, group in enumerate(aligned.get_grouped_opcodes(_CONTEXT)):
        if not i:
            yield f"--- {before}"
            yield f"+++ {after}"
        (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
        yield f"@@ -{_range(a, b)} +{_range(c, d)} @@"
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (f" {line}" for line in old[a:b])
                continue
            yield from (f"-{line}" for line in old[a:b])
            yield from (f"+{line}" for line in new[c:d])


class _Aligned(SequenceMatcher[str]):
    """Groups the changes of two lists as difflib does."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__()
        self._changes = changes(old, new)

    def get_opcodes(self) -> list[Change]:  # type: ignore[override]
        return self._changes


def _range(start: int, end: int) -> str:
    """Return the part of a hunk's heading for lines ``start:end``, which count from 0."""
    if end - start == 1:
        return str(start + 1)
    return f"{start + (end > start)},{end - start}"


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of indexes, old and new, of lines that certainly belong together.

    These are the equal lines at the beginning and at the end, and between them the lines that occur
    once in each list, as many as are in the same order.
    """
    head = 0
    most = min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = len(old) - tail, len(new) - tail
    once = _once(old[head:a]) & _once(new[head:b])
    places = {line: i for i, line in enumerate(old[head:a], head) if line in once}
    pairs = [(places[line], j) for j, line in enumerate(new[head:b], head) if line in once]
    return [
        *((i, i) for i in range(head)),
        *_longest_ascending(pairs),
        *((a + i, b + i) for i in range(tail)),
    ]


def _once(lines: Sequence[str]) -> set[str]:
    return {line for line, n in Counter(lines).items() if n == 1}


def _longest_ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of the pairs in which the first numbers ascend.

    The second numbers ascend already.
    """
    ends: list[int] = []  # the smallest end of a sequence, by the sequence's length
    last: list[int] = []  # the place in ``pairs`` of each of these ends
    before: list[int] = []
    for i, (a, _) in enumerate(pairs):
        length = bisect_left(ends, a)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [a]
        last[length : length + 1] = [i]
    found = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _joined(known: list[Change]) -> list[Change]:
    """Join neighbouring equal lines, and neighbouring changes, as difflib has them."""
    found: list[Change] = []
    for is_equal, group in groupby(known, lambda change: change[0] == "equal"):
        parts = list(group)
        (_, a, _, c, _), (_, _, b, _, d) = parts[0], parts[-1]
        found.append(("equal" if is_equal else _kind(a < b, c < d), a, b, c, d))
    return found


def _kind(removed: bool, added: bool) -> str:
    return "replace" if removed and added else "delete" if removed else "insert"
