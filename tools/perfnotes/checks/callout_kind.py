"""PN512: a callout of an unknown kind."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.callouts import CALLOUTS, unknown_callouts
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

RULE = Rule(
    code="PN512",
    severity=Severity.ERROR,
    title="A callout of an unknown kind",
    why=(
        "A quote that begins with `[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]` or "
        "`[!CAUTION]` becomes a box with that heading. Of any other word the page makes a box "
        "with the word as it stands as its heading, and a code host shows the line as text."
    ),
    wrong={"caches/rows.md": "> [!NOTTE]\n> Rows are in one piece.\n"},
    right={"caches/rows.md": "> [!NOTE]\n> Rows are in one piece.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Quotes whose first line names a kind of callout that does not exist."""
    del site
    body = links.text.body
    for at, kind in unknown_callouts(body.document):
        guess = nearest(kind.strip(), CALLOUTS, 0.6)
        hint = f"did you mean [!{guess}]?" if guess else "the kinds are " + ", ".join(CALLOUTS)
        yield body.source.finding(at, RULE.code, f"no callout is of the kind {kind!r}", hint)
