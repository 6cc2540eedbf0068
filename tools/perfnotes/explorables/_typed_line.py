"""A TypedLine: a line that the reader types, the steps that are shown for it, and a sentence.

Nothing that is typed is run: ``reply`` is a function of the text, with a twin in JavaScript. What
it does not know it refuses, by a sentence that names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from perfnotes.explorables._explorable import Constant
from perfnotes.model.bilingual import Bilingual

LONGEST = 160
"""The most characters of a line."""
Piece = tuple[str, str]
"""A text, and of which kind it is: the end of its class in the style sheet, or empty."""
Word = tuple[Piece, ...]


class Row(Struct, frozen=True):
    """One step, or one process: its name, the gaps in that name, and the words that it has.

    ``depth`` says how far it is set in, ``same`` that it changes nothing, so that its words are
    left out.
    """

    name: str
    words: tuple[Word, ...] = ()
    gaps: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0
    same: bool = False


class Answer(Struct, frozen=True):
    """What is shown for a line: a sentence, what stands in its gaps, and rows."""

    said: str
    gaps: Mapping[str, str]
    rows: tuple[Row, ...] = ()


class TypedLine(Struct, frozen=True):
    """One thing to try by typing. ``says`` and ``names`` are the sentences and the names of rows.

    ``given`` are lines that say what every typed line starts from. ``examples`` are lines to
    choose from; the first is the one that the page shows without a script.
    """

    title: Bilingual
    lead: Bilingual
    how: Bilingual
    field: Bilingual
    given: tuple[str, ...]
    examples: tuple[str, ...]
    names: Mapping[str, Bilingual]
    says: Mapping[str, Bilingual]
    reply: Callable[[str], Answer]

    @property
    def constants(self) -> tuple[Constant, ...]:
        """There are no measured numbers in it."""
        return ()

    @property
    def formulas(self) -> tuple[str, ...]:
        """The lines that its fence holds: what is given, and the line that is shown first."""
        return (*self.given, self.examples[0])

    def answer(self, line: str) -> Answer:
        """Return the rows for a line, or the sentence that says why there are none."""
        try:
            if len(line) > LONGEST:
                raise RefusalError("too-long")
            if any((ord(sign) < 32 and sign != "\t") or ord(sign) == 127 for sign in line):
                raise RefusalError("control")
            return self.reply(line)
        except RefusalError as refusal:
            return Answer(refusal.said, {"what": refusal.what})

    def sentence(self, answer: Answer, lang: str) -> str:
        """Return the sentence below the rows."""
        return filled(self.says[answer.said][lang], answer.gaps)

    def name(self, row: Row, lang: str) -> str:
        """Return the name of a row."""
        return filled(self.names[row.name][lang], row.gaps)


class RefusalError(Exception):
    """A line that cannot be shown: the name of the sentence that says why, and what it names."""

    def __init__(self, said: str, what: str = "") -> None:
        super().__init__(said, what)
        self.said, self.what = said, what


def filled(text: str, gaps: Mapping[str, str]) -> str:
    """Return a text with its gaps filled; what fills them is not looked at again."""
    return re.sub(r"\{([a-z]+)\}", lambda found: gaps[found[1]], text)
