"""Looks up which of many ranges of a text an offset lies in."""

from __future__ import annotations

from bisect import bisect_right


class Spans:
    """Many ranges of a text, in any order. The end of a range is the offset after it."""

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self._ranges = sorted(ranges)
        self._starts = [a for a, _ in self._ranges]

    def around(self, offset: int) -> tuple[int, int] | None:
        """Return the last range that begins at or before ``offset`` and ends after it, or None."""
        i = bisect_right(self._starts, offset) - 1
        if i >= 0 and self._ranges[i][1] > offset:
            return self._ranges[i]
        return None

    def touches(self, start: int, end: int) -> bool:
        """Whether ``start`` to ``end`` overlaps a range. The ranges must not overlap each other."""
        i = bisect_right(self._starts, start) - 1
        begins_within = i >= 0 and self._ranges[i][1] > start
        return begins_within or (i + 1 < len(self._ranges) and self._ranges[i + 1][0] < end)
