"""PN408: a citation without a space before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.tokens import Document

RULE = Rule(
    code="PN408",
    severity=Severity.NOTE,
    title="A citation that is glued to a word",
    why=(
        "A citation becomes a name and a year, which run into the word before them where no space "
        "stands between. Punctuation of full width needs none. `perfnotes fix` writes the space."
    ),
    wrong={"caches/rows.md": "Loops run along rows[@drepper2007memory, sec. 3].\n"},
    right={"caches/rows.md": "Loops run along rows [@drepper2007memory, sec. 3].\n"},
)
_MARKS = ")]\"'*_`%”’"


def find(site: Site) -> Iterator[Finding]:
    """Citations of known papers right behind a letter, a digit or a closing mark."""
    for links in site.graph.links.values():
        body = links.text.body
        for at in glued(body.document, site.library.references):
            message = "the citation is glued to the word before it"
            yield body.source.finding(at, RULE.code, message, "put a space between")


def glued(document: Document, references: Mapping[str, object]) -> Iterator[int]:
    """Where a space is missing."""
    text = document.text
    for citation in document.citations:
        before = text[citation.start - 1 : citation.start]
        if citation.narrative or not (before.isalnum() or (before and before in _MARKS)):
            continue
        if all(item.key in references for item in citation.items):
            yield citation.start
