"""PN601: HTML that may not be published. Found in what the engine makes of a page."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN601",
    severity=Severity.ERROR,
    title="HTML that may not be published",
    why=(
        "Every page is judged as a browser would read it, against a list of elements, attributes "
        "and addresses that can do no harm; anything else stops the build. So it does not matter "
        "by which spelling of Markdown an event handler or a script came about."
    ),
    wrong={"caches/rows.md": 'See the [lines](lines.md){onclick="alert(1)"}.\n'},
    right={"caches/rows.md": "See the [lines](lines.md).\n"},
)
