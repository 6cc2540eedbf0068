"""Aligns two lists of lines: which are the same, which were removed, which were added.

``difflib`` alone takes quadratic time if every second line differs, which is minutes for a text of
1 MB. Here it only aligns what lies between lines that each list has once, and what is still long
is taken as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, pairwise

_MOST = 4_000_000  # pairs of lines that difflib may have to compare, in all
_CONTEXT = 3  # equal lines that are shown on both sides of a change

# What happened to lines start:end of the old list, and in place of them to others of the new one:
# "equal", "replace", "delete" or "insert".
Change = tuple[str, int, int, int, int]


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return how ``old`` becomes ``new``, as ``difflib.SequenceMatcher.get_opcodes`` does."""
    if len(old) * len(new) <= _MOST:
        return [*SequenceMatcher(None, old, new).get_opcodes()]
    known: list[Change] = []
    left = _MOST
    for (before, other), (b, d) in pairwise([(-1, -1), *_anchors(old, new), (len(old), len(new))]):
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
    """Yield the lines of a unified diff without line ends, as ``difflib.unified_diff`` does."""
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
    """Return the places of lines that both lists have once, as many as are in the same order.

    Common lines at the beginning and at the end count as well.
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
        *_ascending(pairs),
        *((a + i, b + i) for i in range(tail)),
    ]


def _once(lines: Sequence[str]) -> set[str]:
    return {line for line, n in Counter(lines).items() if n == 1}


def _ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the most of the pairs whose first numbers ascend; the second ones do already."""
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
