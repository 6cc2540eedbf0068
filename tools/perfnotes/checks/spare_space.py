"""PN508: white space that says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.blank import spare
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN508",
    severity=Severity.NOTE,
    title="White space that says nothing",
    why=(
        "Blanks at the end of a line, tabs before a text, a second blank line and a last line "
        "without an end change no page, but every difference that a reviewer reads. Two blanks "
        "where the paragraph goes on are a line break, and stay. `perfnotes fix` takes out the "
        "rest."
    ),
    wrong={"caches/rows.md": "- Row by row,\n\tas C has it. \n\n\nColumn by column."},
    right={"caches/rows.md": "- Row by row,\n    as C has it.\n\nColumn by column.\n"},
    in_words=(
        "A list's second line that begins with a tab and ends with a blank, two blank lines, and a "
        "last line that does not end.",
        "The same with four blanks for the tab, one blank line, and an end of the last line.",
    ),
)


def find(site: Site) -> Iterator[Finding]:
    """One finding for each text, at its first place."""
    for links in site.graph.links.values():
        body = links.text.body
        places = list(spare(body.document))
        if places:
            more = f", here and at {len(places) - 1} more places" if len(places) > 1 else ""
            message = f"white space that says nothing{more}"
            yield body.source.finding(places[0].start, RULE.code, message, "run 'perfnotes fix'")
