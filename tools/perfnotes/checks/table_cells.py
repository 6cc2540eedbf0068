"""PN511: a table whose rows do not fit its header, or that lacks the line of dashes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.loose_marks import loose_rows
from perfnotes.text.tokens import MarkdownDocument

RULE = Rule(
    code="PN511",
    severity=Severity.ERROR,
    title="A table row with too many cells, or a header without its line of dashes",
    why=(
        "The engine drops the cells of a row that go beyond the header, so their text is not on "
        "the page. If the line of dashes is missing, or has another number of cells than the "
        "header, the page has no table but lines with `|`. A `|` inside a cell is written `\\|`."
    ),
    wrong={"caches/rows.md": "| order | time |\n|---|--:|\n| rows | 1 | fast |\n"},
    right={"caches/rows.md": "| order | time | |\n|---|--:|---|\n| rows | 1 | fast |\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Rows with more cells than the header, and lines of dashes that do not fit or are missing."""
    del site
    body = links.text.body
    for at, *_ in loose_rows(body.document):
        message = "these rows are no table: the page shows each `|` as text"
        hint = "put a line of dashes directly below the header, such as |---|---|"
        yield body.source.finding(at, RULE.code, message, hint)
    if not body.document.blocks.tables:
        return
    counter = _CellCounter(body.document)
    for start, end in body.document.blocks.tables:
        (_, cells), *rows = counter.rows(start, end)
        for n, (at, found) in enumerate(rows):
            if n == 0 and found != cells:
                message = f"the header has {_cells(cells)}, the line of dashes {found}"
                hint = "give the line of dashes one part for each cell of the header"
            elif found > cells:
                message = f"a row has {_cells(found)}, its header {cells}: the page drops the rest"
                hint = "add a column to the header, or write a `|` inside a cell as `\\|`"
            else:
                continue
            yield body.source.finding(at, RULE.code, message, hint)


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


class _CellCounter:
    """Counts the cells of rows. A ``|`` in code, in a formula or in a wiki link is in a cell."""

    def __init__(self, document: MarkdownDocument) -> None:
        self._text = document.text
        formulas = [(math.start, math.end) for math in document.maths]
        wikis = [(wiki.start, wiki.end) for wiki in document.wikis]
        self._spans = sorted([*document.code, *formulas, *wikis])
        self._starts = [start for start, _ in self._spans]

    def rows(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the offset of each row of the table and the number of its cells."""
        for line in self._text[start:end].split("\n"):
            row = line.strip(" \t>")
            if row:
                at = start + line.index(row)
                yield at, self._count(at, row)
            start += len(line) + 1

    def _count(self, at: int, row: str) -> int:
        bars = [i for i in range(len(row)) if row[i] == "|" and self._divides(at, row, i)]
        return len(bars) + 1 - (0 in bars) - (len(row) - 1 in bars)

    def _divides(self, at: int, row: str, i: int) -> bool:
        if row[i - 1 : i] == "\\":
            return False
        n = bisect_right(self._starts, at + i) - 1
        return n < 0 or at + i >= self._spans[n][1]
