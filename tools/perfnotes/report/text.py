"""Findings as lines of text, ``path:line:col: CODE severity: message (hint)``.

On a terminal, the line of the source follows, with a mark below the place.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from perfnotes.report import message_and_hint
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.printable import one_line

_STYLES = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_WIDEST = 100  # characters of a source line that are shown
_BEFORE = 60  # characters of them before the place

Lines = Callable[[str], Sequence[str]]


def write(findings: Sequence[Finding]) -> str:
    """Return one line for each finding."""
    return "".join(f"{one_line(_place(f))} {f.code} {_words(f)}\n" for f in findings)


def for_terminal(findings: Sequence[Finding], lines_of: Lines, *, colour: bool) -> str:
    """Return one line for each finding, its source line, and a mark below the column.

    ``lines_of`` returns the lines of the file at a path, or none if it cannot be read.
    """
    out: list[str] = []
    for f in findings:
        code = _styled(f.code, _STYLES[f.severity], colour)
        out.append(f"{_styled(one_line(_place(f)), '1', colour)} {code} {_words(f)}\n")
        lines = lines_of(f.path)
        if f.line <= len(lines):
            shown, at = _cut(lines[f.line - 1], f.column - 1)
            mark = _styled("^", _STYLES[f.severity], colour)
            out.append(f"    {shown}\n    {' ' * at}{mark}\n")
    return "".join(out)


def _place(f: Finding) -> str:
    return f"{f.path}:{f.line}:{f.column}:"


def _words(f: Finding) -> str:
    """``severity: message (hint)``. The severity is a word, so that it is seen without colours."""
    return one_line(f"{f.severity}: {message_and_hint(f)}")


def summary(findings: Sequence[Finding]) -> str:
    """How many findings of each severity there are: ``1 error, 2 warnings, 0 remarks``.

    Findings of severity note are called remarks, because a note is a page of this project.
    """
    counts = Counter(f.severity for f in findings)
    words = [(counts[s], "remark" if s is Severity.NOTE else s.value) for s in Severity]
    return ", ".join(f"{count} {word}{'s' if count != 1 else ''}" for count, word in words)


def _cut(line: str, at: int) -> tuple[str, int]:
    """The line, printable and cut around ``at``, and the number of terminal cells before ``at``."""
    start = max(0, at - _BEFORE) if len(line) > _WIDEST else 0
    before, rest = line[start:at], line[at : start + _WIDEST]
    left = "…" if start else ""
    right = "…" if start + _WIDEST < len(line) else ""
    before = left + _plain(before)
    return f"{before}{_plain(rest)}{right}", sum(_cells(c) for c in before)


def _plain(text: str) -> str:
    return one_line(text.replace("\t", " "))


def _cells(char: str) -> int:
    """How many cells of a terminal a character takes: a Chinese one two, a combining one none."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _styled(text: str, style: str, colour: bool) -> str:
    """Return the text with the SGR code ``style`` for terminals, or unchanged without colours."""
    return f"\x1b[{style}m{text}\x1b[0m" if colour else text
