"""A Subject: a note that is wanted but not written yet, from ``notes/wanted.yml``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from perfnotes.model.bilingual import Bilingual, bilingual


@dataclass(frozen=True, slots=True)
class Subject:
    """A wanted note. ``id`` is its future id; ``question`` is what it has to answer."""

    id: str
    title: Bilingual
    question: Bilingual
    offset: int = 0  # in wanted.yml

    @property
    def topic(self) -> str:
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Wanted:
    """The wanted notes. ``topics`` names the topics that ``topics.yml`` does not have yet."""

    topics: dict[str, Bilingual] = field(default_factory=dict)
    subjects: tuple[Subject, ...] = ()


def subject_from(entry: dict[str, Any], offset: int) -> Subject:
    """Make a subject from an entry of ``wanted.yml`` that is validated already."""
    return Subject(entry["id"], bilingual(entry["title"]), bilingual(entry["question"]), offset)
