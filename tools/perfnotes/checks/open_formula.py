"""PN517: a formula that is never closed."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.loose_marks import loose_dollars

RULE = Rule(
    code="PN517",
    severity=Severity.ERROR,
    title="A formula that is never closed",
    why=(
        "A formula ends with the sign that began it, `$` or `$$`, in the same paragraph. Otherwise "
        "the page shows its TeX as text. A dollar sign that begins no formula, such as that of a "
        "shell variable, belongs into a code span."
    ),
    wrong={"caches/rows.md": "A row of $n numbers takes $8n$ bytes.\n"},
    right={"caches/rows.md": "A row of $n$ numbers takes $8n$ bytes.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Dollar signs that begin a formula and have no partner in their paragraph."""
    del site
    body = links.text.body
    double = False  # whether a `$$` was reported that the next one is meant to close
    for at, sign in loose_dollars(body.document):
        if sign == "$$":
            double = not double
            if not double:
                continue
        hint = f"end it with {sign} before the next empty line; put what is no formula in backticks"
        yield body.source.finding(at, RULE.code, f"a {sign} that no {sign} closes", hint)
