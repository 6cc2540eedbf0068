"""The lines of a comparison: our own words, and values that strangers wrote.

The two are kept apart until a report is written out. So each output format can escape the values,
and no title or path from a pull request works as markup, as a mention or as a command.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

Value = str | int
_MOST_LISTED = 12


class Line(Struct, frozen=True):
    """Our own ``words``, with ``{}`` for each value. Values that are texts are a stranger's."""

    words: str
    values: tuple[Value, ...] = ()


def line(words: str, *values: Value) -> Line:
    """Return a line. ``words`` must be a literal, so that they hold no stranger's text."""
    return Line(words, values)


class ReportEntry(Struct, frozen=True):
    """One change. ``kind`` is one word: added, changed, removed, broken, late and the like."""

    kind: str
    line: Line
    details: tuple[Line, ...] = ()
    path: str = ""


class ReportPart(Struct, frozen=True):
    """All changes of one sort. If there is a ``summary``, it is shown instead of counts by kind."""

    id: str
    title: str
    entries: tuple[ReportEntry, ...] = ()
    summary: Line | None = None

    @property
    def in_one_line(self) -> Line:
        """The part in one line: its ``summary``, or how many entries it has of each kind."""
        if self.summary:
            return self.summary
        counts = Counter(e.kind for e in self.entries)
        return Line(", ".join(f"{kind} {{}}" for kind in counts), tuple(counts.values()))


class ReviewReport(Struct, frozen=True):
    """What changed between two sides. The parts that matter most to readers come first."""

    before: str
    after: str
    parts: tuple[ReportPart, ...]


def listed(words: list[str] | tuple[str, ...] | set[str]) -> str:
    """Join the first twelve words with commas, and say how many more there are."""
    ordered = sorted(words) if isinstance(words, set) else list(words)
    left = len(ordered) - _MOST_LISTED
    return ", ".join(ordered[:_MOST_LISTED]) + (f" and {left} more" if left > 0 else "")
