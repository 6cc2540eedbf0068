"""What a comparison says: lines of our words with what strangers wrote in their gaps.

The two are kept apart until they are shown, so that no title or path of a pull request can pass
for markup, for a mention or for a command, whatever the form.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

Value = str | int


@dataclass(frozen=True)
class Line:
    """``words`` are ours, with ``{}`` for each value; a text among the values is a stranger's."""

    words: str
    values: tuple[Value, ...] = ()


def line(words: str, *values: Value) -> Line:
    """A line; ``words`` must be a literal."""
    return Line(words, values)


@dataclass(frozen=True)
class Entry:
    """One change. ``kind`` is one word: added, changed, removed, broken, late and the like."""

    kind: str
    line: Line
    details: tuple[Line, ...] = ()
    path: str = ""


@dataclass(frozen=True)
class Part:
    """All changes of one sort; ``summary`` where counting kinds does not say it."""

    id: str
    title: str
    entries: tuple[Entry, ...] = ()
    summary: Line | None = None

    @property
    def told(self) -> Line:
        """The part in one line."""
        if self.summary:
            return self.summary
        counts = Counter(e.kind for e in self.entries)
        return Line(", ".join(f"{kind} {{}}" for kind in counts), tuple(counts.values()))


@dataclass(frozen=True)
class Report:
    """What changed between two sides, the parts in the order of their weight for readers."""

    before: str
    after: str
    parts: tuple[Part, ...]


def listed(words: list[str] | tuple[str, ...] | set[str], most: int = 12) -> str:
    """Some words as one value."""
    ordered = sorted(words) if isinstance(words, set) else list(words)
    more = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return ", ".join(ordered[:most]) + more
