"""Text of which every line knows the source line that it came from, and changes to it.

A step of an import yields Changes to a Page. What lies between them stays as it is, character by
character, so text can only be lost inside a Change.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

from perfnotes.text.inline import MarkdownDocument, scan


class Guess(Struct, frozen=True):
    """One thing that the import decided: where, what and why, and how to change it."""

    path: str
    line: int
    what: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" + (f" ({self.mend})" if self.mend else "")


class Change(Struct, frozen=True):
    """Replace ``start``..``end`` by ``new``.

    ``said`` is what the report says of it, ``mend`` how to change it; ``aside`` is text that the
    note has no place for, which is kept in the comments of its front matter.
    """

    start: int
    end: int
    new: str
    said: str = ""
    mend: str = ""
    aside: str = ""


@dataclass(frozen=True)
class ImportedPage:
    """A text on its way from ``path``; ``lines`` holds the source line of each of its lines."""

    path: str
    text: str
    lines: tuple[int, ...]
    guesses: tuple[Guess, ...] = ()
    asides: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: str, text: str, first: int = 1) -> ImportedPage:
        return cls(path, text, tuple(range(first, first + text.count("\n") + 1)))

    @cached_property
    def document(self) -> MarkdownDocument:
        return scan(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))][:-1]

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Where code and formulas stand: no step but those for code looks inside."""
        maths = [(m.start, m.end) for m in self.document.maths]
        return sorted([*self.document.code, *maths])

    @cached_property
    def _quoted_starts(self) -> list[int]:
        return [a for a, _ in self.quoted]

    def is_quoted(self, offset: int) -> bool:
        i = bisect_right(self._quoted_starts, offset) - 1
        return any(offset < end for _, end in self.quoted[max(0, i - 1) : i + 1])

    def row(self, offset: int) -> int:
        """The index of the line that holds ``offset``."""
        return bisect_right(self._starts, offset) - 1

    def line(self, offset: int) -> int:
        """The line of the source."""
        return self.lines[self.row(offset)]

    def line_start(self, offset: int) -> int:
        return self._starts[self.row(offset)]

    def saying(self, offset: int, what: str, mend: str = "") -> ImportedPage:
        """The page with one more guess in its report."""
        guess = Guess(self.path, self.line(offset), what, mend)
        return self.reporting((*self.guesses, guess), self.asides)

    def reporting(self, guesses: tuple[Guess, ...], asides: tuple[str, ...]) -> ImportedPage:
        """The page with another report; what was found in its text stays, since a scan is slow."""
        page = replace(self, guesses=guesses, asides=asides)
        page.__dict__.update(
            {name: self.__dict__[name] for name in _FOUND if name in self.__dict__}
        )
        return page

    def changed(self, changes: Iterable[Change]) -> ImportedPage:
        """The page after all changes; of two that overlap only the first is made."""
        pieces: list[str] = []
        lines = [self.lines[0]]
        guesses, asides = list(self.guesses), list(self.asides)
        at = 0

        def keep(stop: int) -> None:
            piece = self.text[at:stop]
            pieces.append(piece)
            first = self.row(at)
            lines.extend(self.lines[first + 1 : first + 1 + piece.count("\n")])

        for change in sorted(changes, key=lambda c: (c.start, c.end)):
            if change.start < at:
                continue
            keep(change.start)
            pieces.append(change.new)
            source = self.line(change.start)
            lines.extend([source] * change.new.count("\n"))
            if change.said:
                guesses.append(Guess(self.path, source, change.said, change.mend))
            if change.aside:
                asides.append(change.aside)
            at = change.end
        if not at and not pieces:
            return self
        keep(len(self.text))
        return ImportedPage(self.path, "".join(pieces), tuple(lines), tuple(guesses), tuple(asides))


# The cached properties of a page that depend on its text alone.
_FOUND = ("document", "quoted", "_quoted_starts", "_starts")

Step = Callable[[ImportedPage], Iterator[Change]]


def run(page: ImportedPage, step: Step, rounds: int = 4) -> ImportedPage:
    """The page after a step, which looks again where a change lay inside another."""
    for _ in range(rounds):
        after = page.changed(step(page))
        if after.text == page.text:
            return page.reporting(after.guesses, after.asides)
        page = after
    return page
