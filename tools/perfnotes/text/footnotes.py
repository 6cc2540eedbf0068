"""Footnotes: which marks and definitions of a text belong together, and which do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from perfnotes.text.nearest import Guesses
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import FootnoteMark, MarkdownDocument

# A definition whose label may hold blanks.
_DEFINITION = re.compile(r"^[ \t>]*(\[\^([^\[\]\n]+)\]):", re.MULTILINE)


class FootnoteFault(Struct, frozen=True):
    """A mark or a definition, which begins at ``at``, and what is wrong with it.

    ``what`` is ``undefined`` for a mark without a definition (then ``guess`` is the label that may
    be meant, or ""), ``unused`` for a definition without a mark, ``second`` for another definition
    of a label, and ``blank`` for a definition whose label has a blank.
    """

    at: int
    label: str
    what: Literal["undefined", "unused", "second", "blank"]
    guess: str = ""


def footnote_faults(document: MarkdownDocument) -> Iterator[FootnoteFault]:
    """Yield the faults of a document's footnotes.

    An unused definition is left out if it is the guess for an undefined mark.
    """
    if "[^" not in document.text:
        return
    defined: dict[str, int] = {}
    marks: list[FootnoteMark] = []
    for mark in document.footnotes:
        if not _is_definition(document.text, mark):
            marks.append(mark)
        elif mark.label in defined:
            yield FootnoteFault(mark.start, mark.label, "second")
        else:
            defined[mark.label] = mark.start
    guesses, meant = Guesses(), set[str]()
    for mark in marks:
        meant.add(mark.label)
        if mark.label not in defined:
            guess = _in_other_case(mark.label, defined)
            guess = guess or guesses.nearest(mark.label, defined, cutoff=0.7) or ""
            meant.add(guess)
            yield FootnoteFault(mark.start, mark.label, "undefined", guess)
    for label, at in defined.items():
        if label not in meant:
            yield FootnoteFault(at, label, "unused")
    code = Spans(document.code)
    for found in _DEFINITION.finditer(document.text, document.start):
        if found[2].split() != [found[2]] and not code.around(found.start(1)):
            yield FootnoteFault(found.start(1), found[2], "blank")


def _is_definition(text: str, mark: FootnoteMark) -> bool:
    """Whether a mark begins its line, apart from signs of quotes and lists, and ends with ``:``."""
    if not text.startswith(":", mark.end):
        return False
    before = text[text.rfind("\n", 0, mark.start) + 1 : mark.start]
    return not before.strip(" \t>-*+.)0123456789")


def _in_other_case(label: str, defined: dict[str, int]) -> str:
    return next((each for each in defined if each.lower() == label.lower()), "")
