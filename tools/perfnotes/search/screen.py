"""The first screen: what a reader sees at once where a search result opens.

It has a heading and the words below it. People judge whether the first screen answers a query. A
judgement is stored with the digest of the text that was read, so it does not count any more after
the text has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from perfnotes.graph.links import Links
from perfnotes.search.table_rows import best_row
from perfnotes.text.prose import CJK

# A first screen holds so many words, or so many Chinese characters. A window of 1280 by 800 pixels
# shows 1.5 to 2 times as much of our pages.
WORDS = 130
CHARACTERS = 250
# The room of a first screen, in a unit in which a word takes CHARACTERS and a character takes
# WORDS: so all sizes are whole numbers.
_ROOM = WORDS * CHARACTERS
CARD = 75  # words of a section that a card shows; a note's answer in short has at most as many
LINE = 12  # words in a line; a row of a table or a line of a program takes at most as much room
_UNIT = re.compile(rf"{CJK.pattern}|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?!\s*(?:\n|#{1,6} |[-*+] |\d+[.)] )))*")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_DELIMITER = re.compile(r":?-+:?")


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
    return "\n".join([heading, *_fitting(_lines(links, start, len(body.document.text)), _ROOM)])


def card_of(links: Links, anchor: str, query: str) -> str | None:
    """Return what a card shows of a section: its heading and its beginning.

    If ``anchor`` is empty, the card shows the page's answer: the first paragraph and, if there is a
    table above the first heading, its row that answers ``query``. Returns None if the page has no
    such section.
    """
    body = links.text.body
    if not anchor:
        row = _row_for(query, links)
        return "\n".join([links.prose.plain(*body.opening).strip(), *([row] if row else [])])
    section = next((each for each in body.sections if each.id == anchor), None)
    if section is None:
        return None
    lines = _lines(links, section.heading.end, section.end)
    return "\n".join([section.title, *_fitting(lines, CARD * CHARACTERS)])


def _row_for(query: str, links: Links) -> str:
    """Return the row that answers a query; empty if none does."""
    blocks = links.text.body.document.blocks
    start = links.text.body.opening[1]
    end = next((each.start for each in blocks.headings if each.start >= start), None)
    for first, last in blocks.tables:
        if first >= start and (end is None or last <= end):
            lines = _LINE.finditer(links.text.body.document.text, first, last)
            _, *rows = [row for line in lines if (row := _row(links, line))]
            at = best_row(query, rows)
            return rows[at] if at >= 0 else ""
    return ""


def _fitting(lines: Iterable[tuple[str, bool]], room: int) -> Iterator[str]:
    """Yield as many lines as there is room for."""
    for line, is_prose in lines:
        size = sum(map(_size, _UNIT.findall(line)))
        yield _cut(line, room) if is_prose and size > room else line
        room -= size if is_prose else min(size, LINE * CHARACTERS)
        if room <= 0:
            return


def screen_digest(screen: str) -> str:
    """Return a short digest of the words of a screen; spaces and line ends do not change it."""
    return hashlib.sha256(" ".join(screen.split()).encode()).hexdigest()[:16]


def _size(unit: str) -> int:
    """Return the room that a word or a Chinese character takes."""
    return WORDS if CJK.match(unit) else CHARACTERS


def _cut(line: str, room: int) -> str:
    """Return as much of a line as there is room for."""
    for unit in _UNIT.finditer(line):
        room -= _size(unit[0])
        if room <= 0:
            return f"{line[: unit.end()]} …"
    return line


def _lines(links: Links, start: int, end: int) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a range of the body, each with whether it is a paragraph.

    Other lines are rows of tables and lines of programs.
    """
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
                yield found[0].rstrip(), False
            elif row := _row(links, found):
                yield row, False
        at = block[1]
    yield from _paragraphs(links, at, end)


def _row(links: Links, line: re.Match[str]) -> str:
    """Return a row of a table in plain words; empty for the line below its head."""
    cells = [cell for cell in links.prose.cells(*line.span()) if cell]
    return "" if all(map(_DELIMITER.fullmatch, cells)) else " · ".join(cells)


def _paragraphs(links: Links, start: int, end: int) -> Iterator[tuple[str, bool]]:
    text = links.text.body.document.text
    for found in _PARAGRAPH.finditer(text, start, end):
        if words := links.prose.plain(*found.span()).strip():
            yield words, True
