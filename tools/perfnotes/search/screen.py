"""The first screen: what a reader sees at once where a search result opens.

It has a heading and the words below it. People judge whether the first screen answers a query. A
judgement is stored with the digest of the text that was read, so it does not count any more after
the text has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from perfnotes.graph.links import Links
from perfnotes.search.constants import CJK, SCREEN
from perfnotes.search.tokens import is_cjk

WORDS, CHARACTERS, LINE = SCREEN["words"], SCREEN["characters"], SCREEN["line"]
# The room of a first screen, in a unit in which a word takes CHARACTERS and a character takes
# WORDS: so all sizes are whole numbers.
ROOM = WORDS * CHARACTERS
BETWEEN_CELLS = " · "
_UNIT = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?!\s*(?:\n|#{1,6} |[-*+] |\d+[.)] )))*")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_DELIMITER = re.compile(r":?-+:?")


LineKind = Literal["prose", "row", "program"]


class Line(Struct, frozen=True):
    """A paragraph, a row of a table or a line of a program, and the room that it takes.

    ``block`` is the offset of the table or program, -1 for a paragraph.
    """

    text: str
    kind: LineKind
    room: int
    block: int = -1


def first_screen(links: Links, title: str, anchor: str) -> str | None:
    """Return the first screen of a section, or of the page if ``anchor`` is empty.

    ``title`` is the page's. Returns None if the page has no such section.
    """
    body = links.text.body
    heading, start = title, body.document.start
    if anchor:
        section = next((each for each in body.sections if each.id == anchor), None)
        if section is None:
            return None
        heading, start = section.title, section.heading.end
    elif first := body.title_section(title):
        start = first.heading.end
    return "\n".join([heading, *_fitting(lines(links, start, len(body.document.text)), ROOM)])


def _fitting(found: Iterable[Line], room: int) -> Iterator[str]:
    """Yield as many lines as there is room for."""
    for line in found:
        yield _cut(line.text, room) if line.kind == "prose" and line.room > room else line.text
        room -= line.room
        if room <= 0:
            return


def size(text: str) -> int:
    """Return the room that a text takes, in the unit of ``ROOM``."""
    return sum(WORDS if is_cjk(unit) else CHARACTERS for unit in _UNIT.findall(text))


def screen_digest(screen: str) -> str:
    """Return a short digest of the words of a screen; spaces and line ends do not change it."""
    return hashlib.sha256(" ".join(screen.split()).encode()).hexdigest()[:16]


def _cut(line: str, room: int) -> str:
    """Return as much of a line as there is room for."""
    for unit in _UNIT.finditer(line):
        room -= size(unit[0])
        if room <= 0:
            return f"{line[: unit.end()]} …"
    return line


def lines(links: Links, start: int, end: int) -> Iterator[Line]:
    """Yield the lines of a range of the body."""
    document = links.text.body.document
    text, at = document.text, start
    tables = set(document.blocks.tables)
    fences = {
        (fence.start, fence.end): (fence.info_end, text.rfind("\n", 0, fence.end))
        for fence in document.blocks.fences
    }
    for block in sorted(tables | fences.keys()):
        if not at <= block[0] < end:
            continue
        yield from _paragraphs(links, at, block[0])
        for found in _LINE.finditer(text, *fences.get(block, block)):
            if block in fences:
                yield _whole(found[0].rstrip(), "program", block[0])
            elif row := _row(links, found):
                yield _whole(row, "row", block[0])
        at = block[1]
    yield from _paragraphs(links, at, end)


def _whole(text: str, kind: LineKind, block: int) -> Line:
    """Return a line that is never cut: the window scrolls it sideways or folds it."""
    return Line(text, kind, min(size(text), LINE * CHARACTERS), block)


def _row(links: Links, line: re.Match[str]) -> str:
    """Return a row of a table in plain words; empty for the line below its head."""
    cells = [cell for cell in links.prose.cells(*line.span()) if cell]
    return "" if all(map(_DELIMITER.fullmatch, cells)) else BETWEEN_CELLS.join(cells)


def _paragraphs(links: Links, start: int, end: int) -> Iterator[Line]:
    text = links.text.body.document.text
    for found in _PARAGRAPH.finditer(text, start, end):
        if words := links.prose.without_markup(*found.span()).strip():
            yield Line(words, "prose", size(words))
