"""PN504: a code fence that is never closed."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

ANY_FOLDER = True

RULE = Rule(
    code="PN504",
    severity=Severity.ERROR,
    title="A code fence that is never closed",
    why=(
        "Without its closing line a code fence takes in the rest of the note: headings, links and "
        "citations become code. Close it with as many marks as it was opened with."
    ),
    wrong={"caches/rows.md": "Along a row:\n\n```c\nsum += a[i][j];\n\nA loop along a row.\n"},
    right={"caches/rows.md": "Along a row:\n\n```c\nsum += a[i][j];\n```\n\nA loop along a row.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences without a closing line."""
    del site
    body = links.text.body
    for fence in body.document.blocks.fences:
        if not fence.closed:
            text = body.document.text[fence.start : fence.info_start]
            message = "a code fence that is never closed"
            hint = f"end it with a line that is only {text}"
            yield body.source.finding(fence.start, RULE.code, message, hint)
