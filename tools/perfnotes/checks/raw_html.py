"""PN604: raw HTML outside the short allowed list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.tokens import MarkdownDocument

ALLOWED = ("kbd", "sub", "sup", "br")

RULE = Rule(
    code="PN604",
    severity=Severity.ERROR,
    title="Raw HTML outside the allowed list",
    why=(
        "Notes are Markdown, so that they read well in any editor and come out right in every "
        "form of the page. Of HTML only `<kbd>`, `<sub>`, `<sup>` and `<br>` are allowed. Often "
        "the angle brackets are meant as text, as in `vector<int>`: put them into a code span."
    ),
    wrong={"caches/rows.md": "A vector<int> lies in memory <b>without gaps</b>.\n"},
    right={"caches/rows.md": "A `vector<int>` lies in memory **without gaps**.\n"},
)

_HINT = "put it in a code span or fence, or write Markdown"
_DECLARATION = re.compile(r"<(?:\?|!doctype\b|!\[cdata\[)", re.IGNORECASE)
_NAME = re.compile(r"<([A-Za-z][\w:-]*)")

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Elements, comments and declarations in the source. Pages of ``docs/`` may have comments."""
    del site
    body = links.text.body
    for offset, what in sorted(_html(body.document, comments=links.text.kind == "page")):
        yield body.source.finding(offset, RULE.code, f"{what} in the source", _HINT)


def _html(document: MarkdownDocument, *, comments: bool) -> Iterator[tuple[int, str]]:
    text = document.text
    opened = {tag.name for tag in document.tags}
    for tag in document.tags:
        name = tag.name.removeprefix("/")
        if name not in ALLOWED and (name == tag.name or name not in opened):
            yield tag.start, f"the element <{tag.name}>"
    for start, _ in document.blocks.code:  # <pre>, <script> and the like that form a block
        block = _NAME.match(text, start)
        if block:
            yield start, f"the element <{block[1].lower()}>"
    for start, _ in document.code:
        if not comments and text.startswith("<!--", start):
            yield start, "a comment"
    quoted = sorted(document.code + [(math.start, math.end) for math in document.maths])
    starts = [start for start, _ in quoted]
    escaped = {offset + 1 for offset in document.escapes}
    for match in _DECLARATION.finditer(text, document.start):
        at = match.start()
        i = bisect_right(starts, at) - 1
        if at not in escaped and (i < 0 or quoted[i][1] <= at):
            yield at, "an HTML declaration or instruction"
