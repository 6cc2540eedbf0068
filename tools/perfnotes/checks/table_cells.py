"""PN511: a table whose rows have other numbers of cells than its header."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.tokens import MarkdownDocument

RULE = Rule(
    code="PN511",
    severity=Severity.ERROR,
    title="A table row with too many cells, or a line below the header with too few",
    why=(
        "The engine drops the cells of a row that go beyond the header, so their text is not on "
        "the page. If the line of dashes has another number of cells than the header, the page "
        "has no table but lines with `|`. A `|` inside a cell is written `\\|`."
    ),
    wrong={"caches/rows.md": "| order | time |\n|---|--:|\n| rows | 1 | fast |\n"},
    right={"caches/rows.md": "| order | time | |\n|---|--:|---|\n| rows | 1 | fast |\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Rows with more cells than the header, and lines of dashes that do not fit it."""
    del site
    body = links.text.body
    document = body.document
    for start, end in document.blocks.tables:
        rows = list(_rows(document, start, end))
        cells = rows[0][1]
        for n, (at, found) in enumerate(rows[1:]):
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


def _rows(document: MarkdownDocument, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the offset of each row of a table and the number of its cells."""
    text = document.text
    hidden = sorted(
        (*document.code, *((math.start, math.end) for math in document.maths),
         *((wiki.start, wiki.end) for wiki in document.wikis))
    )  # fmt: skip
    starts = [first for first, _ in hidden]
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        row = text[at:stop]
        first = stop - len(row.lstrip(" \t>"))
        if first < stop:
            last = at + len(row.rstrip())
            last -= text.endswith("|", first + 1, last) and not text.endswith("\\|", first, last)
            bars = (
                i
                for i in range(first + text.startswith("|", first), last)
                if text[i] == "|" and text[i - 1 : i] != "\\"
            )
            yield first, 1 + sum(not _is_hidden(bar, hidden, starts) for bar in bars)
        at = stop + 1


def _is_hidden(at: int, spans: list[tuple[int, int]], starts: list[int]) -> bool:
    """Whether the offset is inside one of the ``spans``, which begin at ``starts``."""
    n = bisect_right(starts, at) - 1
    return n >= 0 and at < spans[n][1]
