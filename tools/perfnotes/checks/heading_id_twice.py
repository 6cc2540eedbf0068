"""PN518: an id that two headings of a text have."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN518",
    severity=Severity.ERROR,
    title="A heading with the id of an earlier one",
    why=(
        "A link to a heading leads to the first one that has the id. A later heading with the same "
        "id gets a number at its end, so that the id which stands in the text is not the one that "
        "the page has. A heading without `{#id}` has an id too: its words, with hyphens."
    ),
    wrong={"caches/rows.md": "## Rows\n\nText.\n\n## Rows in Fortran {#rows}\n\nText.\n"},
    right={"caches/rows.md": "## Rows\n\nText.\n\n## Rows in Fortran {#fortran}\n\nText.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Headings whose written id an earlier heading has."""
    del site
    body = links.text.body
    for section, first in body.repeated_ids:
        line, _ = body.source.position(first.start)
        message = f"the id {first.id!r} is that of the heading in line {line}"
        hint = "give one of the two another id"
        yield body.source.finding(section.start, RULE.code, message, hint)
