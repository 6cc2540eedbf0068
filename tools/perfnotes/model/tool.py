"""A Tool: a command that the notes use, with what it shows and what it cannot see.

``notes/tools.yml`` describes the tools and names sources. Where a tool is used is found in the
notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from perfnotes.model.bilingual import Bilingual, bilingual
from perfnotes.text.inline import scan
from perfnotes.text.tokens import Citation


class Tool(Struct, frozen=True):
    """A command, such as ``perf stat``.

    A piece of code uses the tool if it begins with the words of one of the ``commands``. If a
    command is also the name of something else, such as ``size``, ``only_blocks`` says that code
    spans do not count. ``shows`` and ``misses`` say what the tool can and cannot see. Their source
    is ``source``, citations as Pandoc writes them, or ``section``, the section of a note, as
    ``topic/slug#heading``. ``instrument`` names the instrument by which labs measure with the tool.
    ``see`` holds the ids of tools that can see what this tool cannot.
    """

    id: str
    name: str
    commands: tuple[tuple[str, ...], ...]
    group: str
    shows: Bilingual
    misses: Bilingual
    source: str = ""
    citations: tuple[Citation, ...] = ()
    section: str = ""
    instrument: str = ""
    see: tuple[str, ...] = ()
    only_blocks: bool = False
    offset: int = 0  # in tools.yml

    @property
    def cited(self) -> frozenset[str]:
        """The keys of the references that the tool cites."""
        return frozenset(item.key for citation in self.citations for item in citation.items)


class Tools(Struct, frozen=True):
    """The tools in the order of the file, and the names of their groups."""

    groups: Mapping[str, Bilingual] = field(default_factory=dict)
    by_id: Mapping[str, Tool] = field(default_factory=dict)

    @property
    def cited(self) -> frozenset[str]:
        """The keys of the references that the tools cite."""
        return frozenset(key for tool in self.by_id.values() for key in tool.cited)


def tool_from(entry: dict[str, Any], offset: int) -> Tool:
    """Make a tool from an entry of ``tools.yml`` that is validated already."""
    source = entry.get("source", "")
    return Tool(
        entry["id"],
        entry["name"],
        tuple(tuple(each.split()) for each in entry.get("commands", [entry["name"]])),
        entry["group"],
        bilingual(entry["shows"]),
        bilingual(entry["misses"]),
        source,
        tuple(scan(source).citations) if source else (),
        entry.get("section", ""),
        entry.get("instrument", ""),
        tuple(entry.get("see", ())),
        entry.get("only-blocks", False),
        offset,
    )
