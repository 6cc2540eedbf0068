"""An ImportedPage records the source line of each of its lines; Changes are its edits.

A step of an import is a function that yields Changes to a page. Text between Changes stays the
same, character by character, so only a Change can lose text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

from perfnotes.text.inline import scan
from perfnotes.text.tokens import MarkdownDocument


class Guess(Struct, frozen=True):
    """A line of the report: the place, what the import decided there and why.

    ``mend`` says how a person can change the decision.
    """

    path: str
    line: int
    what: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" + (f" ({self.mend})" if self.mend else "")


class Change(Struct, frozen=True):
    """Replaces the text from offset ``start`` to ``end`` by ``new``.

    ``said`` and ``mend`` are the Guess that reports it, if any. ``aside`` is text for which a note
    has no place; it is kept in comments of the front matter.
    """

    start: int
    end: int
    new: str
    said: str = ""
    mend: str = ""
    aside: str = ""


@dataclass(frozen=True)
class ImportedPage:
    """The text of the source ``path`` after some steps.

    ``lines`` has the source line of each line of ``text``.
    """

    path: str
    text: str
    lines: tuple[int, ...]
    guesses: tuple[Guess, ...] = ()
    asides: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: str, text: str, first: int = 1) -> ImportedPage:
        """A page with the text as it is in the source, from line ``first`` on."""
        return cls(path, text, tuple(range(first, first + text.count("\n") + 1)))

    @cached_property
    def document(self) -> MarkdownDocument:
        return scan(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))][:-1]

    @cached_property
    def verbatim(self) -> list[tuple[int, int]]:
        """The spans of code and formulas, in which only the steps for code change anything."""
        maths = [(m.start, m.end) for m in self.document.maths]
        return sorted([*self.document.code, *maths])

    @cached_property
    def _verbatim_starts(self) -> list[int]:
        return [a for a, _ in self.verbatim]

    def is_verbatim(self, offset: int) -> bool:
        """Whether ``offset`` is in code or in a formula."""
        i = bisect_right(self._verbatim_starts, offset) - 1
        return any(offset < end for _, end in self.verbatim[max(0, i - 1) : i + 1])

    def row(self, offset: int) -> int:
        """The index of the line that holds ``offset``."""
        return bisect_right(self._starts, offset) - 1

    def line(self, offset: int) -> int:
        """The source line of the line that holds ``offset``."""
        return self.lines[self.row(offset)]

    def line_start(self, offset: int) -> int:
        """The offset at which the line that holds ``offset`` begins."""
        return self._starts[self.row(offset)]

    def with_guess(self, what: str, mend: str = "", line: int = 0) -> ImportedPage:
        """The page with one more guess, at a line of the file, or else at the page's first one."""
        guess = Guess(self.path, line or self.lines[0], what, mend)
        return self.with_report((*self.guesses, guess), self.asides)

    def with_report(self, guesses: tuple[Guess, ...], asides: tuple[str, ...]) -> ImportedPage:
        """The page with another report. The scan of the same text is kept, because it is slow."""
        page = replace(self, guesses=guesses, asides=asides)
        page.__dict__.update(
            {name: self.__dict__[name] for name in _OF_TEXT if name in self.__dict__}
        )
        return page

    def changed(self, changes: Iterable[Change]) -> ImportedPage:
        """The page after these changes. If two overlap, only the first one is made."""
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
        if not pieces:
            return self
        keep(len(self.text))
        return ImportedPage(self.path, "".join(pieces), tuple(lines), tuple(guesses), tuple(asides))


# The cached properties of a page that depend on nothing but its text.
_OF_TEXT = ("document", "verbatim", "_verbatim_starts", "_starts")

Step = Callable[[ImportedPage], Iterator[Change]]


def run(page: ImportedPage, step: Step, rounds: int = 4) -> ImportedPage:
    """The page after a step.

    The step runs until it changes nothing, at most ``rounds`` times, because a change that overlaps
    another one is made in the next round.
    """
    for _ in range(rounds):
        after = page.changed(step(page))
        if after.text == page.text:
            return page.with_report(after.guesses, after.asides)
        page = after
    return page
