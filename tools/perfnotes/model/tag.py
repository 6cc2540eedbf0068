"""A Tag: one word of the controlled vocabulary in ``notes/tags.yml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from perfnotes.model.bilingual import Bilingual, bilingual


@dataclass(frozen=True, slots=True)
class Tag:
    """``aliases`` are other words for it, for searches and for hints."""

    id: str
    name: Bilingual
    description: Bilingual
    aliases: tuple[str, ...] = ()
    offset: int = 0  # in tags.yml


def tag_from(entry: dict[str, Any], offset: int) -> Tag:
    """From an entry of ``tags.yml``, validated before."""
    return Tag(
        id=entry["id"],
        name=bilingual(entry["name"]),
        description=bilingual(entry["description"]),
        aliases=tuple(str(alias) for alias in entry.get("aliases", ())),
        offset=offset,
    )
