"""A TypedLine: a line that the reader types, the steps that are shown for it, and a sentence.

Nothing that is typed is run: ``reply`` is a function of the text, written in JavaScript as well. It
refuses a line with a form that it does not know, and the sentence names that form.
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
"""A text and its kind, which is the end of its class in the style sheet, or empty."""
Word = tuple[Piece, ...]


class Row(Struct, frozen=True):
    """One step, or one process: its name, what fills the gaps in that name, and its words.

    ``depth`` says how far the row is indented. ``same`` says that the step changes nothing; its
    words are left out then.
    """

    name: str
    words: tuple[Word, ...] = ()
    gaps: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0
    same: bool = False


class Answer(Struct, frozen=True):
    """What is shown for a line: the name of a sentence, what fills its gaps, and rows."""

    said: str
    gaps: Mapping[str, str]
    rows: tuple[Row, ...] = ()


class TypedLine(Struct, frozen=True):
    """One thing to try by typing. ``says`` and ``names`` are the sentences and the names of rows.

    ``given`` are commands that have run before any typed line. ``examples`` are lines to choose
    from; the page shows the first one without a script.
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
        """Empty, because a typed line shows no measured numbers."""
        return ()

    @property
    def formulas(self) -> tuple[str, ...]:
        """The lines of the fence in a note: what is given, and the line that is shown first."""
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
    """A line is refused: ``said`` names the sentence that says why, ``what`` fills its gap."""

    def __init__(self, said: str, what: str = "") -> None:
        super().__init__(said, what)
        self.said, self.what = said, what


def filled(text: str, gaps: Mapping[str, str]) -> str:
    """Return a text with its gaps filled; braces in what fills a gap are no gaps."""
    return re.sub(r"\{([a-z]+)\}", lambda found: gaps[found[1]], text)
