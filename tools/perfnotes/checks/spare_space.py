"""PN508: white space without meaning."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.spare_space import spare_space

RULE = Rule(
    code="PN508",
    severity=Severity.NOTE,
    title="White space without meaning",
    why=(
        "Blanks at the end of a line, tabs before a text, a second blank line and a missing line "
        "end at the end of the file do not change the page, but they clutter the differences that "
        "a reviewer reads. Two blanks at the end of a line within a paragraph are a line break, "
        "and stay. `perfnotes fix` removes the rest."
    ),
    wrong={"caches/rows.md": "- Row by row,\n\tas C has it. \n\n\nColumn by column."},
    right={"caches/rows.md": "- Row by row,\n    as C has it.\n\nColumn by column.\n"},
    in_words=(
        "The second line of a list item begins with a tab and ends with a blank; two blank lines "
        "follow; the last line has no line end.",
        "Four blanks replace the tab, the blank at the end is gone, one blank line follows, and "
        "the last line has its line end.",
    ),
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """One finding for each text, at the first such place; the message counts the others."""
    del site
    body = links.text.body
    places = list(spare_space(body.document))
    if places:
        others = len(places) - 1
        more = f", here and at {others} more place{'s' if others > 1 else ''}" if others else ""
        message = f"white space without meaning{more}"
        yield body.source.finding(places[0].start, RULE.code, message, "run 'perfnotes fix'")
