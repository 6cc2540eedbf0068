"""A Reference: a paper, book, manual or talk that notes cite, and the Persons who wrote it.

Everything is plain Unicode; only ``Reference.bibtex`` keeps the LaTeX of its source. Nothing is
escaped for HTML: the code that writes a page does that.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec import Struct


class Person(Struct, frozen=True):
    """The name of a person or of an organisation; an organisation has only a ``family`` name.

    ``family`` includes particles ("van de Geijn"). ``suffix`` is "Jr.", "III" and the like.
    """

    given: str
    family: str
    suffix: str = ""

    @property
    def name(self) -> str:
        """The full name in reading order."""
        if self.given and _is_han(self.given) and _is_han(self.family):
            return self.family + self.given
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)


class Reference(Struct, frozen=True):
    """One entry of the bibliography.

    ``venue`` is where it appeared: the journal, proceedings, publisher or school, depending on
    ``type``. ``fields`` holds all other fields by their BibTeX names. ``others`` says that the list
    of authors (or of editors, if there are no authors) ends in "and others". ``keywords`` are its
    topics. ``bibtex`` is the entry for readers to copy. ``offset`` is its place in the file.
    """

    key: str
    type: str
    title: str
    authors: tuple[Person, ...] = ()
    editors: tuple[Person, ...] = ()
    others: bool = False
    year: str = ""
    venue: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    isbn: str = ""
    keywords: tuple[str, ...] = ()
    bibtex: str = ""
    offset: int = 0

    def field(self, name: str) -> str:
        """Return the field with this BibTeX name from ``fields``, or an empty string."""
        return next((value for key, value in self.fields if key == name), "")

    @property
    def can_be_found(self) -> bool:
        """Whether the entry says enough for a reader to find the work."""
        ids = (self.doi, self.arxiv, self.url, self.isbn)
        where = self.venue or (self.title if self.type == "proceedings" else "")
        return is_enough(ids, (self.authors or self.editors, self.year, where))


def is_enough(ids: Iterable[str], others: Iterable[object]) -> bool:
    """Return whether a work with a title can be found: by an id, or by two other things.

    ``others`` are who wrote it, the year and where it appeared, each of them empty if unknown.
    """
    return any(ids) or sum(map(bool, others)) >= 2


def _is_han(text: str) -> bool:
    return bool(text) and all(unicodedata.name(c, "").startswith("CJK UNIFIED") for c in text)
