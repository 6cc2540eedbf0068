"""PN501: a heading of level 1 in the text."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN501",
    severity=Severity.ERROR,
    title="A heading of level 1 in the text",
    why=(
        "A page has one heading of level 1: the `title` of the front matter, which stands above "
        "the text. Headings in the text start with `##`."
    ),
    wrong={"caches/rows.md": "# Rows\n\nA C array lies in memory row by row.\n"},
    right={"caches/rows.md": "## Rows\n\nA C array lies in memory row by row.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Headings of level 1 in the body of any text; the title is not in the body."""
    del site
    body = links.text.body
    for section in body.sections:
        if section.level == 1:
            message = "a heading of level 1: only the title has this level"
            hint = "make it ##, or leave it out if it repeats the title"
            yield body.source.finding(section.start, RULE.code, message, hint)
