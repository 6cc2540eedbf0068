"""PN406: a word that looks like a citation in running text. The graph finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN406",
    severity=Severity.WARNING,
    title="Text that looks like a citation",
    why=(
        "`@name` in running text is often a person, a decorator or part of an address, so it stays "
        "plain text if no reference has that key. This word is a name followed by a year, as keys "
        "are. Add the reference, or put the word into a code span."
    ),
    wrong={"caches/rows.md": "That loops run along rows is shown by @lam1991cache.\n"},
    right={"caches/rows.md": "That loops run along rows is shown by @drepper2007memory.\n"},
)
