"""PN303: a link to a heading that the page does not have. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN303",
    severity=Severity.ERROR,
    title="A link to a heading that is not there",
    why=(
        "After `#` stands the English heading, for both languages: in lower case, without "
        "punctuation, with hyphens for spaces. A link to a heading that was changed or removed "
        "would end at the top of the page, so the part after `#` is checked too."
    ),
    wrong={"caches/rows.md": "Mind the [[lines#sizes|size of a line]].\n"},
    right={"caches/rows.md": "Mind the [[lines#size|size of a line]].\n"},
)
