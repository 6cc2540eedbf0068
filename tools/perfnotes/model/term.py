"""A Term: a glossary entry in both languages, from ``notes/glossary.yml``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from perfnotes.model.bilingual import Bilingual, bilingual
from perfnotes.text.joining import joins


class Term(Struct, frozen=True):
    """A term. If ``note`` is set, the note with that id explains the term and is its page."""

    id: str
    name: Bilingual
    definition: Bilingual
    abbreviations: tuple[str, ...] = ()
    aliases_en: tuple[str, ...] = ()
    aliases_zh: tuple[str, ...] = ()
    note: str = ""
    offset: int = 0  # in glossary.yml
    note_offset: int = 0

    def spellings(self, lang: str) -> tuple[str, ...]:
        """Return every way to write the term in a text of that language."""
        if lang == "zh":
            return (self.name.zh, *self.aliases_zh, *self.abbreviations)
        return (self.name.en, *self.aliases_en, *self.abbreviations)

    def title(self, lang: str) -> str:
        """Return the term with its abbreviations: ``translation lookaside buffer (TLB)``."""
        name = self.name[lang]
        if not self.abbreviations:
            return name
        return name + joins(lang).bracketed(", ".join(self.abbreviations))


def term_from(entry: dict[str, Any], offset: int, note_offset: int) -> Term:
    """Make a term from an entry of ``glossary.yml`` that is validated already."""
    aliases = entry.get("aliases", {})
    return Term(
        id=entry["id"],
        name=Bilingual(entry["en"].strip(), entry["zh"].strip()),
        definition=bilingual(entry["definition"]),
        abbreviations=_strings(entry.get("abbr", ())),
        aliases_en=_strings(aliases.get("en", ())),
        aliases_zh=_strings(aliases.get("zh", ())),
        note=str(entry.get("note", "")),
        offset=offset,
        note_offset=note_offset,
    )


def _strings(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)  # the schema reports values that are no strings
