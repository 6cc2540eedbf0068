"""A Topic: a folder of notes. ``notes/topics.yml`` lists the topics in the order of the site."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from perfnotes.model.bilingual import NO_WORDS, Bilingual, bilingual


class Topic(Struct, frozen=True):
    """A topic. ``order`` lists slugs in reading order; other notes follow, by file name."""

    id: str
    title: Bilingual
    description: Bilingual
    introduction: Bilingual = NO_WORDS
    order: tuple[str, ...] = ()
    offset: int = 0  # in topics.yml

    @property
    def depth(self) -> int:
        """How many folders deep the topic lies; 0 if the notes folder itself is the topic."""
        return self.id.count("/") + 1 if self.id else 0


def topic_from(entry: dict[str, Any], offset: int) -> Topic:
    """Make a topic from an entry of ``topics.yml`` that is validated already."""
    return Topic(
        id=entry["id"],
        title=bilingual(entry["title"]),
        description=bilingual(entry["description"]),
        introduction=bilingual(entry.get("introduction", "")),
        order=tuple(str(slug) for slug in entry.get("notes", ())),
        offset=offset,
    )
