"""PN503: a code fence without a language."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN503",
    severity=Severity.ERROR,
    title="A code fence without a language",
    why=(
        "The word after the three backticks names the language, such as `c`, `bash` or `python`. "
        "It decides how the code is coloured and tells readers and programs what the block is. "
        "Write `console` for a terminal session and `text` for plain output."
    ),
    wrong={"caches/rows.md": "Along a row:\n\n```\nsum += a[i][j];\n```\n"},
    right={"caches/rows.md": "Along a row:\n\n```c\nsum += a[i][j];\n```\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences whose opening line names no language."""
    del site
    body = links.text.body
    for fence in body.document.blocks.fences:
        if not fence.language:
            hint = "name one after the opening marks: console for a session, text for output"
            message = "a code fence without a language"
            yield body.source.finding(fence.start, RULE.code, message, hint)
