"""A Topic: a folder of notes, described in ``notes/topics.yml`` in the order of the site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from perfnotes.model.bilingual import Bilingual, bilingual

_NONE = Bilingual("")


@dataclass(frozen=True, slots=True)
class Topic:
    """``order`` holds slugs in reading order; notes that it does not name follow by title."""

    id: str
    title: Bilingual
    description: Bilingual
    introduction: Bilingual = _NONE
    order: tuple[str, ...] = ()
    offset: int = 0  # in topics.yml

    @property
    def depth(self) -> int:
        return self.id.count("/") + 1 if self.id else 0


def topic_from(entry: dict[str, Any], offset: int) -> Topic:
    """From an entry of ``topics.yml``, validated before."""
    return Topic(
        id=entry["id"],
        title=bilingual(entry["title"]),
        description=bilingual(entry["description"]),
        introduction=bilingual(entry.get("introduction", "")),
        order=tuple(str(slug) for slug in entry.get("notes", ())),
        offset=offset,
    )
