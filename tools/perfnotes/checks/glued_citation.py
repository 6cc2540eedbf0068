"""PN408: a citation without a space before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.tokens import MarkdownDocument

RULE = Rule(
    code="PN408",
    severity=Severity.NOTE,
    title="A citation without a space before it",
    why=(
        "On the page a citation becomes a name and a year. Without a space they run into the word "
        "before them. After full-width punctuation no space is needed. `perfnotes fix` inserts the "
        "space."
    ),
    wrong={"caches/rows.md": "Loops run along rows[@drepper2007memory, sec. 3].\n"},
    right={"caches/rows.md": "Loops run along rows [@drepper2007memory, sec. 3].\n"},
)
_MARKS = ")]\"'*_`%”’"

LOOKS_AT = frozenset({"reference"})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Citations of known papers directly after a letter, a digit or a closing mark."""
    body = links.text.body
    for at in glued(body.document, site.library.references):
        message = "there is no space between the citation and the word before it"
        yield body.source.finding(at, RULE.code, message, "insert a space")


def glued(document: MarkdownDocument, references: Mapping[str, object]) -> Iterator[int]:
    """The offsets of citations that lack a space before them."""
    text = document.text
    for citation in document.citations:
        before = text[citation.start - 1 : citation.start]
        if citation.narrative or not (before.isalnum() or (before and before in _MARKS)):
            continue
        if all(item.key in references for item in citation.items):
            yield citation.start
