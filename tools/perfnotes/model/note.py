"""A Note: one subject, one page. Its id is ``<topic>/<slug>``.

A note is a file ``<slug>.md``, or ``<slug>/index.md`` in a folder with its figures or its lab.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Any

from msgspec import Struct

from perfnotes.model.symptom import Symptom
from perfnotes.text.body import Body

LEVELS = ("introductory", "intermediate", "advanced")
NOTE_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")
"""The form of a note's id. An alias of this form is an earlier id of the note."""

_MAYBE_MAIL = re.compile(r" ?<(?P<quoted>[^<>]*)>| ?\(?(?P<word>[^ ()<>]+)\)?")


class Meta(Struct, frozen=True, eq=False):
    """A note's front matter; ``places`` maps the path of a key to its offset in the source."""

    title: str
    description: str = ""
    tags: tuple[str, ...] = ()
    level: str = ""
    requires: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    date: str = ""
    updated: str = ""
    draft: bool = False
    translates: str = ""
    order: int = 0  # the place of a page of docs/ in the navigation
    chosen: tuple[str, ...] = ()  # quantities that the author chose; they need no evidence
    waived: tuple[tuple[str, str], ...] = ()  # quantities without evidence, and why
    symptoms: tuple[Symptom, ...] = ()
    asked: tuple[str, ...] = ()  # search queries of people whose question the note answers
    places: dict[tuple[Any, ...], int] = {}

    def __eq__(self, other: object) -> bool:
        """Whether all keys have the same values; their places in the file do not count."""
        return isinstance(other, Meta) and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))

    def place(self, *path: object) -> int:
        """Return the offset of the key at ``path``, or of its top-level key, or 0."""
        return self.places.get(path, self.places.get(path[:1], 0))


_values = attrgetter(*(name for name in Meta.__struct_fields__ if name != "places"))


class Note(Struct, frozen=True):
    """A note. ``file`` is relative to the notes folder; ``lang`` is the language of its text."""

    id: str
    topic: str
    file: str
    meta: Meta
    body: Body
    lang: str = "en"

    @property
    def slug(self) -> str:
        return self.id.rpartition("/")[2]

    @property
    def url(self) -> str:
        """The page's address below the site's root."""
        return f"{self.id}/"

    @property
    def minutes(self) -> int:
        return self.body.minutes


def without_mail_addresses(authors: tuple[str, ...]) -> tuple[str, ...]:
    """Return the authors without e-mail addresses, which must not reach the site."""
    names = (_MAYBE_MAIL.sub(_without_mail, " ".join(author.split())) for author in authors)
    return tuple(stripped for name in names if (stripped := name.strip()))


def _without_mail(found: re.Match[str]) -> str:
    """Return "" for a mail address, also in brackets, and any other part of a name unchanged."""
    if found["quoted"] is not None:
        return "" if "@" in found["quoted"] else found[0]
    at = found["word"].find("@", 1)
    is_mail = at > 0 and found["word"].find(".", at + 2, -1) > 0
    return "" if is_mail else found[0]
