"""What a text's tables get for the page: columns of numbers are aligned, long code may be broken.

Numbers are aligned to the right, so that digits stand below digits. Long code without a space gets
a class, since its column would else be as wide as the code, and a phone would not show the next
column.
"""

from __future__ import annotations

import re
from itertools import pairwise

from perfnotes.site.render.edits import Edits
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

_BAR = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*\)|\[[^\[\]]*\])?")
_CITATION = re.compile(r"\[[^\[\]]*@[^\[\]]*\]")
_NUMBER = re.compile(
    r"[~≈<>≤≥±+\u2212-]?\s?\d[\d.,\u00a0\u202f ]*(?:\s?[–-]\s?\d[\d.,]*)?"
    r"\s?(?:[A-Za-zµμ°/%‰×²³·]{1,12}|倍|次|字节)?"
)
_NOTHING = ("", "-", "–", "—")
_LONG_CODE = re.compile(r"(`+)[^\s`]{18,}\1")


def align_numbers(document: MarkdownDocument, edits: Edits) -> None:
    """Align columns that hold only numbers to the right, unless the text aligns them itself."""
    for start, end in document.blocks.tables:
        _align(document.text, start, end, edits)


def let_long_code_break(document: MarkdownDocument, edits: Edits) -> None:
    """Give long code in tables the class ``pn-long``, with which it may be broken anywhere."""
    text, tables = document.text, Spans(document.blocks.tables)
    for start, end in document.code if document.blocks.tables else ():
        is_long = tables.around(start) and _LONG_CODE.fullmatch(text, start, end)
        if is_long and not text.startswith("{", end):
            edits.add(end, end, "{.pn-long}", "")


def _align(text: str, start: int, end: int, edits: Edits) -> None:
    lines = []
    at = start
    for line in text[start:end].splitlines(keepends=True):
        lines.append((at, line.rstrip("\n")))
        at += len(line)
    rows = [_cells(line) for _, line in lines]
    if len(rows) < 3 or len({len(row) for row in rows}) > 1:
        return  # a row has too few cells, or a bar within a cell
    begin = lines[1][0]
    for column, (left, right) in enumerate(rows[1]):
        rule = lines[1][1][left:right]
        words = [_plain(line[row[column][0] : row[column][1]]) for (_, line), row in
                 zip(lines[2:], rows[2:], strict=True)]  # fmt: skip
        numbers = [each for each in words if each not in _NOTHING]
        if ":" in rule or not numbers or not all(map(_NUMBER.fullmatch, numbers)):
            continue
        dashes = begin + left + len(rule.rstrip())
        edits.add(dashes, dashes, ":", "")


def _cells(line: str) -> list[tuple[int, int]]:
    """Return where the cells of a row begin and end in its line."""
    bars = [found.start() for found in _BAR.finditer(line)]
    if not line.lstrip().startswith("|"):
        bars.insert(0, -1)
    if not line.rstrip().endswith("|"):
        bars.append(len(line))
    return [(a + 1, b) for a, b in pairwise(bars)]


def _plain(cell: str) -> str:
    """Return the words of a cell without links, citations and emphasis."""
    return _LINK.sub(r"\1", _CITATION.sub("", cell)).replace("*", "").strip()
