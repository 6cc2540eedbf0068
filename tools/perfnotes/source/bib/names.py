"""Reads the names in an author or editor field, by BibTeX's rules, with pybtex."""

from __future__ import annotations

import re

from msgspec import Struct
from pybtex.database import Person as BibtexPerson
from pybtex.exceptions import PybtexError

from perfnotes.model.reference import Person
from perfnotes.source.bib.latex import without_latex

LONGEST_NAME = 500  # characters

_BREAK = re.compile(r"[{}]|(?<=\s)and(?=\s)", re.IGNORECASE)
# Matches an accented letter without braces around it. pybtex reads a name correctly only if each
# of them stands in braces, as in {\'E}variste.
_BARE_ACCENT = re.compile(
    r"(?<!\{)(\\(?:['`\"^~=.]\s*(?:\{\\?[A-Za-z]\}|\\[ij](?![A-Za-z])|[A-Za-z])"
    r"|[vcHkrudbt]\s*\{\\?[A-Za-z]\}))"
)
_SUFFIX = re.compile(r"(.+\S)\s+(Jr\.?|Sr\.?|II|III|IV)", re.DOTALL)


class Names(Struct, frozen=True):
    """The people in a list, whether it ends in "and others", and what is wrong with it."""

    persons: tuple[Person, ...] = ()
    others: bool = False
    problems: tuple[str, ...] = ()


def read_names(text: str) -> Names:
    """Read a list of names such as ``Goto, Kazushige and van de Geijn, Robert A.``"""
    persons: list[Person] = []
    problems: list[str] = []
    others = False
    if not text.strip():
        return Names()
    for name in _split(text):
        if name.lower() == "others":
            others = True
            continue
        person = _person(name)
        if isinstance(person, str):
            problems.append(person)
        else:
            persons.append(person)
    return Names(tuple(persons), others, tuple(problems))


def _split(text: str) -> list[str]:
    """Split a list at each ``and`` that has white space around it and is not in braces."""
    parts: list[str] = []
    depth = begin = 0
    for found in _BREAK.finditer(text):
        if found.group() == "{":
            depth += 1
        elif found.group() == "}":
            depth -= 1
        elif depth == 0:
            parts.append(text[begin : found.start()].strip())
            begin = found.end()
    parts.append(text[begin:].strip())
    return parts


def _person(name: str) -> Person | str:
    """Return the Person with this name, or a text that says what is wrong with the name."""
    if len(name) > LONGEST_NAME:
        return f"a name of {len(name):,} characters"
    if not without_latex(name):
        return "an empty name"
    suffix = ""
    if "," not in name and (found := _SUFFIX.fullmatch(name)) is not None:
        name, suffix = found[1], found[2]
    try:
        parts = BibtexPerson(_BARE_ACCENT.sub(r"{\1}", name))
    except (PybtexError, ValueError, IndexError):
        return f"a name that BibTeX cannot read: {without_latex(name)[:60]!r}"
    given = _joined(parts.first_names + parts.middle_names)
    family = _joined(parts.prelast_names + parts.last_names)
    suffix = suffix or _joined(parts.lineage_names)
    if not family:
        given, family = "", given or suffix
    return Person(given, family, suffix)


def _joined(words: list[str]) -> str:
    return without_latex(" ".join(words))
