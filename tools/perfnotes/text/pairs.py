"""Pairs backticks and brackets, and looks at each only once, so that no text is slow to scan."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict

_TICKS = re.compile(r"`+")
_SIGNS = re.compile(r"\\.|`+|[\[\]]", re.DOTALL)


class Pairs:
    """The pairs in a text whose code blocks are masked; ``breaks`` are the ends of paragraphs."""

    def __init__(self, masked: str, breaks: list[int]) -> None:
        self._masked = masked
        self._ticks: dict[int, list[int]] = defaultdict(list)
        at = masked.find("`")
        while at >= 0:
            stop = at + 1
            while masked.startswith("`", stop):
                stop += 1
            self._ticks[stop - at].append(at)
            at = masked.find("`", stop)
        self.breaks = sorted([*breaks, len(masked)])
        self._closing: dict[int, int] = {}
        self._until = 0  # brackets are matched up to here

    def paragraph_end(self, at: int) -> int:
        """Return the offset at which the paragraph around ``at`` ends."""
        return self.breaks[min(bisect_right(self.breaks, at), len(self.breaks) - 1)]

    def code_end(self, at: int) -> tuple[int, int]:
        """Return two offsets: after the backticks at ``at``, and after those that close them.

        The second is -1 if nothing closes them in the same paragraph.
        """
        run = _TICKS.match(self._masked, at)
        stop = run.end() if run else at
        same = self._ticks.get(stop - at, [])
        i = bisect_left(same, stop)
        if i == len(same) or same[i] >= self.paragraph_end(at):
            return stop, -1
        return stop, same[i] + stop - at

    def closing(self, opening: int, end: int) -> int:
        """Return the offset of the ``]`` before ``end`` that closes the ``[``, or -1."""
        if opening >= self._until:
            self._match(opening)
        close = self._closing.get(opening, -1)
        return close if close < end else -1

    def _match(self, at: int) -> None:
        """Match the brackets from ``at`` to the end of its paragraph."""
        until = self.paragraph_end(at)
        self._closing.clear()
        opened: list[int] = []
        while at < until:
            sign = _SIGNS.search(self._masked, at, until)
            if not sign:
                break
            at = sign.end()
            if sign[0] == "[":
                opened.append(sign.start())
            elif sign[0] == "]":
                if opened:
                    self._closing[opened.pop()] = sign.start()
            elif sign[0][0] == "`":
                at = max(at, self.code_end(sign.start())[1])
        self._until = until
