"""PN107: a character that nobody sees. The readers find it, and here its references are found."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.hidden import hidden_name, hidden_references
from perfnotes.text.spans import Spans

RULE = Rule(
    code="PN107",
    severity=Severity.ERROR,
    title="A character that nobody sees",
    why=(
        "Control characters, characters without width and characters that turn the direction of a "
        "line make a text say something else than what it shows. A command that a reader copies "
        "then does something else than what stands there, and a number hides from who reviews it. "
        "Remove the character; in code, write an escape such as `\\u202e`. Joiners (U+200C, "
        "U+200D), soft hyphens and variation selectors may stay."
    ),
    wrong={"caches/rows.md": "A row has 1\u202e6\u202c lines.\n"},
    right={"caches/rows.md": "A row lies in one piece.\n"},
    in_words=(
        "A sentence in which U+202E turns the digits of a number around.",
        "The sentence without that character.",
    ),
)

ANY_FOLDER = True
LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Character references in the text, such as ``&#x202e;`` or ``&rlm;``. Code shows them."""
    del site
    body = links.text.body
    code = Spans(body.document.code)
    for match, character in hidden_references(body.document.text, body.document.start):
        if not code.around(match.start()):
            message = f"{match[0]} is the character {hidden_name(character)}, which is not seen"
            yield body.source.finding(match.start(), RULE.code, message, "remove it")
