"""PN303: a link to a heading that the page does not have. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN303",
    severity=Severity.ERROR,
    title="A link to a heading that is not there",
    why=(
        "What follows `#` is the heading in lower case, punctuation dropped and spaces as "
        "hyphens, in English for both languages. When a heading changes, links to it end at the "
        "top of the page, so they are checked too."
    ),
    wrong={"caches/rows.md": "Mind the [[lines#sizes|size of a line]].\n"},
    right={"caches/rows.md": "Mind the [[lines#size|size of a line]].\n"},
)
