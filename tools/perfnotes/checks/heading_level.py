"""PN502: a heading that skips a level."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN502",
    severity=Severity.ERROR,
    title="A heading skips a level",
    why=(
        "Headings are the outline that readers skim and screen readers jump along. After `##` "
        "comes `##` or `###`; a `####` there leaves a gap in the outline."
    ),
    wrong={"caches/rows.md": "## Rows\n\nText.\n\n#### Detail\n\nText.\n"},
    right={"caches/rows.md": "## Rows\n\nText.\n\n### Detail\n\nText.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Headings more than one level deeper than the heading before; a text starts at level 2."""
    del site
    body = links.text.body
    level = 1
    for section in body.sections:
        if section.level > level + 1:
            hint = f"make it {'#' * (level + 1)}"
            message = f"a heading of level {section.level} after one of level {level}"
            yield body.source.finding(section.start, RULE.code, message, hint)
        level = section.level
