"""A Symptom: what a person sees before knowing the name of the cause, from a note's front matter.

``notes/symptoms.yml`` has the places under which readers look for a symptom, with questions that
narrow it down, and the commands to run first on a slow machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from perfnotes.model.bilingual import Bilingual, bilingual
from perfnotes.text.inline import scan
from perfnotes.text.tokens import Citation

_CODE = re.compile(r"(?<!`)`(?!`)([^`]+)`(?!`)")


class Symptom(Struct, frozen=True):
    """What a person sees, and how to tell whether the note explains its cause.

    ``see`` is one sentence, as that person would say it. ``confirm`` names one command, or what to
    look at, and what the answer is if the note has the cause. ``section`` is the id of the heading
    below which the note says what to do. ``where`` is the place under which readers look for the
    symptom, such as ``threads`` or ``threads/kernel``. Symptoms of a translation have neither
    ``section`` nor ``where``. ``also`` holds other sentences for the same symptom; the search looks
    there, and no page shows them. ``opens`` is the id of the heading at which a search result for
    the symptom opens, or empty for the top of the note.
    """

    id: str
    see: str
    confirm: str
    section: str = ""
    where: str = ""
    also: tuple[str, ...] = ()
    opens: str = ""


class Answer(Struct, frozen=True):
    """One answer to a question. Symptoms name it as ``place/answer``."""

    id: str
    says: Bilingual


class Question(Struct, frozen=True):
    """A question that tells causes apart; ``by`` says which command or observation answers it."""

    ask: Bilingual
    by: Bilingual
    answers: tuple[Answer, ...]


class Place(Struct, frozen=True):
    """A place under which readers look for symptoms, such as "the program waits".

    ``also`` holds, by language, what people type who see no more than this, such as "memory leak".
    The search finds the place by these lines; no page shows them.
    """

    id: str
    title: Bilingual
    questions: tuple[Question, ...] = ()
    offset: int = 0  # in symptoms.yml
    also: Mapping[str, tuple[str, ...]] = {}

    @property
    def addresses(self) -> tuple[str, ...]:
        """What a symptom's ``where`` may name: the place, and each answer to its questions."""
        answers = (a.id for question in self.questions for a in question.answers)
        return (self.id, *(f"{self.id}/{id}" for id in answers))


class OutputReading(Struct, frozen=True):
    """What the output of a command may say, and the place or answer that it leads to."""

    says: Bilingual
    leads: str


class FirstCommand(Struct, frozen=True):
    """A command to run first on a slow machine. ``source`` holds citations as Pandoc writes them.

    ``look`` says what to look at in the output.
    """

    command: str
    look: Bilingual
    readings: tuple[OutputReading, ...]
    source: str = ""
    citations: tuple[Citation, ...] = ()
    offset: int = 0  # in symptoms.yml


class SymptomIndex(Struct, frozen=True):
    """The places in the order of the page, and the commands to run first."""

    places: tuple[Place, ...] = ()
    first: tuple[FirstCommand, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Everything that a symptom's ``where`` may name."""
        return tuple(address for place in self.places for address in place.addresses)

    @property
    def cited(self) -> frozenset[str]:
        """The keys of the references that the commands to run first cite."""
        citations = (c for command in self.first for c in command.citations)
        return frozenset(item.key for citation in citations for item in citation.items)


def symptoms_from(entries: Any) -> tuple[Symptom, ...]:
    """Make the symptoms of a note's front matter; an entry that is not valid is left out."""
    if not isinstance(entries, list):
        return ()
    return tuple(
        Symptom(
            _line(entry["id"]),
            _line(entry.get("see")),
            _line(entry.get("confirm")),
            _line(entry.get("section")),
            _line(entry.get("where")),
            _lines(entry.get("also")),
            _line(entry.get("opens")),
        )
        for entry in entries
        if isinstance(entry, dict) and _line(entry.get("id"))
    )


def place_from(entry: dict[str, Any], offset: int) -> Place:
    """Make a place from an entry of ``symptoms.yml`` that is validated already."""
    questions = tuple(
        Question(
            bilingual(each["ask"]),
            bilingual(each["by"]),
            tuple(Answer(a["id"], bilingual(a["says"])) for a in each["answers"]),
        )
        for each in entry.get("questions", ())
    )
    also = {lang: _lines(lines) for lang, lines in entry.get("also", {}).items()}
    return Place(entry["id"], bilingual(entry["title"]), questions, offset, also)


def first_command_from(entry: dict[str, Any], offset: int) -> FirstCommand:
    """Make a command to run first from an entry of ``symptoms.yml`` that is validated already."""
    readings = tuple(OutputReading(bilingual(a["says"]), a["leads"]) for a in entry["answers"])
    source = entry["source"]
    return FirstCommand(
        entry["command"],
        bilingual(entry["look"]),
        readings,
        source,
        tuple(scan(source).citations),
        offset,
    )


def code_and_words(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a sentence: whether it is a code span, and its text without backticks."""
    at = 0
    for found in _CODE.finditer(text):
        if found.start() > at:
            yield False, text[at : found.start()]
        yield True, found[1].strip()
        at = found.end()
    if at < len(text):
        yield False, text[at:]


def without_code(text: str) -> str:
    """Return the text with each code span replaced by as many blanks."""
    return _CODE.sub(lambda found: " " * len(found[0]), text)


def _line(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""


def _lines(value: Any) -> tuple[str, ...]:
    """Return the texts of a list, or an empty tuple if ``value`` is no list."""
    return tuple(filter(None, map(_line, value))) if isinstance(value, list) else ()
