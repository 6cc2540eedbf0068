"""The sentences of a text that the options of ``perfnotes reviewed`` name by their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.cli.commands._texts import Text
    from perfnotes.graph.claims import Claim

_RANGE = re.compile(r"(?P<first>\d{1,6})(?:-(?P<last>\d{1,6})|:(?P<column>\d{1,6}))?$")
_PLACE = re.compile(r"(?P<line>\d{1,6})(?::(?P<column>\d{1,6}))?$")
_LONGEST_REMARK = 500  # characters


class Statements(Struct, frozen=True):
    """The sentences of ``text`` that state a fact: all of them, and those that were read."""

    text: Text
    every: list[Claim]
    read: list[Claim]

    @classmethod
    def of(cls, text: Text, every: list[Claim], lines: str | None) -> Statements:
        """Return the sentences that begin in ``lines``, such as ``12-40,81:49``; None means all.

        Raises ``UsageError`` if no sentence begins in one of the parts of ``lines``.
        """
        found = cls(text, every, every)
        if lines is None:
            return found
        read = {(c.line, c.column) for part in lines.split(",") for c in found._in_range(part)}
        return cls(text, every, [c for c in every if (c.line, c.column) in read])

    def remarks(self, given: list[str], option: str) -> dict[str, str]:
        """Return the remarks of ``given``, such as ``12:49=WORDS``, by their sentence's digest.

        Raises ``UsageError`` if one has another form, or if no sentence begins at its place.
        """
        remarks: dict[str, str] = {}
        for each in given:
            place, _, remark = each.partition("=")
            remark = " ".join(remark.split())
            if not remark or len(remark) > _LONGEST_REMARK or not _PLACE.match(place):
                form = f"LINE=WORDS or LINE:COLUMN=WORDS, up to {_LONGEST_REMARK} characters"
                raise UsageError(f"{option} {each[:80]!r}: write {form}")
            remarks |= dict.fromkeys(self.begun_at(place, option), remark)
        return remarks

    def begun_at(self, place: str, option: str) -> list[str]:
        """Return the digests of the sentences that begin at a place, LINE or LINE:COLUMN.

        Raises ``UsageError`` if there are none, or if they do not count as read.
        """
        found = _PLACE.match(place)
        if not found:
            raise UsageError(f"{option} {place[:80]!r} is no line and no LINE:COLUMN")
        line, column = int(found["line"]), int(found["column"] or 0)
        there = [c for c in self.every if c.line == line and column in (0, c.column)]
        digests = [c.sentence.digest for c in self.read if c in there]
        if not there:
            raise self._no_sentence(option, place, (line, column), (line, column))
        if not digests:
            raise UsageError(f"{option} {place}: --lines leaves this sentence out")
        return digests

    def _in_range(self, part: str) -> list[Claim]:
        found = _RANGE.match(part.strip())
        if not found:
            form = "is no line, no LINE:COLUMN and no range such as 12-40"
            raise UsageError(f"--lines {part!r} {form}")
        first, column = int(found["first"]), int(found["column"] or 0)
        last = int(found["last"] or first)
        if last < first:
            raise UsageError(f"--lines {part.strip()}: write the smaller number first")
        there = [c for c in self.every if first <= c.line <= last and column in (0, c.column)]
        if not there:
            raise self._no_sentence("--lines", part.strip(), (first, column), (last, column))
        return there

    def _no_sentence(
        self, option: str, given: str, first: tuple[int, int], last: tuple[int, int]
    ) -> UsageError:
        """Return the error that no sentence begins between two places (line and column)."""
        lines = self.text.of.body.source.text.rstrip("\n").count("\n") + 1
        if first[0] > lines:
            return UsageError(f"{option} {given}: {self.text.path} has only {lines} lines")
        before = [c for c in self.every if (c.line, c.column) < first][-1:]
        after = [c for c in self.every if (c.line, c.column) > last][:1]
        near = " and ".join(_shown(claim) for claim in before + after)
        nothing = f"{option} {given}: no sentence that states a fact begins there"
        return UsageError(f"{nothing}; the nearest begin at {near}")


def _shown(claim: Claim) -> str:
    from perfnotes.contribute.reviewing import first_words

    return f"{claim.line}:{claim.column} ({first_words(claim.words)})"
