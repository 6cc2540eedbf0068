"""PN509: code that is too long to highlight."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN509",
    severity=Severity.NOTE,
    title="Code that is too long to highlight",
    why=(
        "The page shows this code without colours, because a highlighter may need minutes for code "
        "of such a length. Very long lines cost most, then blocks of many hundred lines. Show the "
        "part that the text speaks of and put the whole file into a lab, or write `text` as the "
        "language."
    ),
    wrong={"caches/rows.md": f"All rows:\n\n```c\nint rows[] = {{{'0, ' * 2000}}};\n```\n"},
    right={"caches/rows.md": "All rows:\n\n```c\nint rows[2000];\n```\n"},
    in_words=("A line of 6,000 characters in a block of `c`.", "The declaration alone."),
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences that a page shows as plain text although they name a language."""
    del site
    body = links.text.body
    for fence in body.document.not_highlighted:
        message = f"this code is too long to highlight as {fence.language}"
        hint = "show less of it, or write text as its language"
        yield body.source.finding(fence.start, RULE.code, message, hint)
