"""A Subject: a note that is wanted but not written yet, from ``notes/wanted.yml``."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from perfnotes.model.bilingual import Bilingual, bilingual


class Subject(Struct, frozen=True):
    """A wanted note. ``id`` is its future id; ``question`` is what the note has to answer.

    ``also`` holds words, in any language, that people type who look for the subject.
    """

    id: str
    title: Bilingual
    question: Bilingual
    also: tuple[str, ...] = ()
    offset: int = 0  # in wanted.yml

    @property
    def topic(self) -> str:
        return self.id.partition("/")[0]


class Outside(Struct, frozen=True):
    """A subject that the notes leave to others, such as databases.

    A search query that contains one of the names in ``also`` asks for the subject.
    """

    title: Bilingual
    also: tuple[str, ...]


class Wanted(Struct, frozen=True):
    """The wanted notes. ``topics`` names the topics that ``topics.yml`` does not have yet."""

    topics: dict[str, Bilingual] = field(default_factory=dict)
    subjects: tuple[Subject, ...] = ()
    outside: tuple[Outside, ...] = ()


def subject_from(entry: dict[str, Any], offset: int) -> Subject:
    """Make a subject from an entry of ``wanted.yml`` that is validated already."""
    return Subject(
        entry["id"],
        bilingual(entry["title"]),
        bilingual(entry["question"]),
        tuple(entry.get("also", ())),
        offset,
    )


def outside_from(entry: dict[str, Any]) -> Outside:
    """Make an Outside from an entry of ``wanted.yml`` that is validated already."""
    return Outside(bilingual(entry["title"]), tuple(entry["also"]))
