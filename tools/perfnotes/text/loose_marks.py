"""Marks that begin a formula or a table and are not finished, so that a page shows them as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

# In running text, `$` and one letter or a TeX command. `$5` is a price, `$HOME` a variable.
_FORMULA = re.compile(r"\$\$|\$(?=[A-Za-z](?![A-Za-z0-9])|\\[A-Za-z])")
_ROW = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<row>\|[^|\n]*\|.*)$", re.MULTILINE)


def loose_dollars(document: MarkdownDocument) -> Iterator[tuple[int, str]]:
    """Yield the offset of each ``$`` and ``$$`` that looks like the beginning of a formula.

    Each comes with the sign itself. Signs that begin a formula, and those in code, citations and
    addresses, are not among them.
    """
    if "$" not in document.text:
        return
    escaped = {offset + 1 for offset in document.escapes}
    others = Spans(
        [
            *document.code,
            *((math.start, math.end) for math in document.maths),
            *((cited.start, cited.end) for cited in document.citations),
            *((link.dest_start, link.dest_end) for link in document.links),
            *((each.dest_start, each.dest_end) for each in document.blocks.definitions),
        ]
    )
    for match in _FORMULA.finditer(document.text, document.start):
        if match.start() not in escaped and not others.around(match.start()):
            yield match.start(), match[0]


def loose_rows(document: MarkdownDocument) -> list[list[int]]:
    """Return groups of two or more lines that look like rows and belong to no table.

    Each group has the offset of each of its rows. A single line that begins with ``|`` may be a
    sentence, such as one about ``|x|``.
    """
    tables = Spans(document.blocks.tables)
    code = Spans([*document.code, *((math.start, math.end) for math in document.maths)])
    groups: list[list[int]] = []
    last_end = -1
    for match in _ROW.finditer(document.text, document.start):
        at, end = match.span("row")
        if tables.around(end - 1) or code.around(at):
            continue
        if not groups or match.start() != last_end + 1:
            groups.append([])
        groups[-1].append(at)
        last_end = end
    return [group for group in groups if len(group) > 1]
