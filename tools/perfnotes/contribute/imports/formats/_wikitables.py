"""Tables of MediaWiki whose first row has a cell for every column.

Pandoc takes the number of columns from the first row and drops what other rows have beyond it;
before version 3 it also drops what a cell across several columns leaves over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPAN = re.compile(r"(?P<looks>[^|\[\]{}<>]*?)\bcolspan\s*=\s*[\"']?(?P<columns>\d{1,2})\b[\"']?")


@dataclass
class _Table:
    """``first`` is the number of cells in the first row, which ends before line ``end``."""

    first: int = 0
    cells: int = 0
    widest: int = 0
    end: int = -1

    def close_row(self, line: int) -> None:
        self.widest = max(self.widest, self.cells)
        if self.cells and self.end < 0:
            self.first, self.end = self.cells, line
        self.cells = 0


def filled(text: str) -> str:
    """The text with an empty cell wherever the first row of a table lacks one."""
    rows = text.split("\n")
    extra: dict[int, int] = {}  # empty cells to put before a line
    open_tables: list[_Table] = []
    for i, row in enumerate(rows):
        bare = row.lstrip()
        if bare.startswith("{|"):
            open_tables.append(_Table())
        elif not open_tables:
            continue
        elif bare.startswith(("|-", "|}")):
            table = open_tables[-1]
            table.close_row(i)
            if bare.startswith("|}"):
                _fill(open_tables.pop(), extra)
        elif bare.startswith(("|", "!")) and not bare.startswith("|+"):
            rows[i], count = _spread(bare)
            open_tables[-1].cells += count
    for table in open_tables:
        table.close_row(len(rows))
        _fill(table, extra)
    made: list[str] = []
    for i, row in enumerate([*rows, None]):
        made += ["|"] * extra.get(i, 0)
        made += [] if row is None else [row]
    return "\n".join(made)


def _fill(table: _Table, extra: dict[int, int]) -> None:
    if table.widest > table.first > 0:
        extra[table.end] = extra.get(table.end, 0) + table.widest - table.first


def _spread(row: str) -> tuple[str, int]:
    """A line of cells with those across several columns as one and empty ones, and their number."""
    mark = row[0]
    between = re.compile(r"\|\||!!" if mark == "!" else r"\|\|")
    parts = []
    for cell in between.split(row[1:]):
        found = _SPAN.match(cell)
        if not found:
            parts.append(cell)
            continue
        columns = min(max(int(found["columns"]), 1), 40)
        rest = found["looks"] + cell[found.end() :]
        looks, _, words = rest.partition("|")
        parts += [rest if looks.strip() else words, *([" "] * (columns - 1))]
    return mark + (mark * 2).join(parts), len(parts)
