"""A Tag: one word of the controlled vocabulary in ``notes/tags.yml``."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from perfnotes.model.bilingual import Bilingual, bilingual


class Tag(Struct, frozen=True):
    """A tag. The search and the hints of checks also use ``aliases``, other words for it."""

    id: str
    name: Bilingual
    description: Bilingual
    aliases: tuple[str, ...] = ()
    offset: int = 0  # in tags.yml


def tag_from(entry: dict[str, Any], offset: int) -> Tag:
    """Make a tag from an entry of ``tags.yml`` that is validated already."""
    return Tag(
        id=entry["id"],
        name=bilingual(entry["name"]),
        description=bilingual(entry["description"]),
        aliases=tuple(str(alias) for alias in entry.get("aliases", ())),
        offset=offset,
    )
