"""How much slower this machine is at the moment than when it is quiet.

Other work on a shared machine makes CPU seconds up to three times as long. So a fixed piece of work
like ours, a loop over words and a regular expression, is measured beside each command. The least
that it ever took is taken for the quiet machine. On two cores of a shared host it took 4 to 14 ms.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path

_TEXT = "A cache line of 64 bytes [holds](a.md) *eight* words, `uint64_t`, and 9.4 GB/s.\n" * 300
_MARK = re.compile(r"\d+(?:\.\d+)?(?= ?[^\W\d_])|[*`\[(]")


@dataclass
class Calibration:
    """The least CPU seconds of the fixed work. ``file`` keeps them between runs."""

    file: Path
    least: float = field(init=False)

    def __post_init__(self) -> None:
        known = self.file.read_text() if self.file.exists() else ""
        self.least = float(known or "inf")
        for _ in range(40):
            self.slowness()

    def slowness(self) -> float:
        """Return how many times as long as on the quiet machine the fixed work takes now."""
        return self.ratio(taken())

    def ratio(self, seconds: float) -> float:
        """Return how many times the least that is."""
        if seconds < self.least:
            self.least = seconds
            self.file.write_text(str(seconds))
        return seconds / self.least


def taken() -> float:
    """Return the CPU seconds that the fixed work takes at this moment."""
    start = time.process_time()
    found: dict[str, int] = {}
    for _ in range(3):
        for word in _TEXT.split():
            found[word] = found.get(word, 0) + len(word.strip("*`"))
        for match in _MARK.finditer(_TEXT):
            found[match[0]] = found.get(match[0], 0) + match.start()
    return time.process_time() - start
