"""PN405: a citation of a key that no reference has. The graph finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN405",
    severity=Severity.ERROR,
    title="A citation of a key that no reference has",
    why=(
        "`[@key]` cites an entry of `notes/references.bib`. No entry has this key, but it is "
        "almost a known key, or has the form of one: a name and a year. Correct the key, or add "
        "the reference."
    ),
    wrong={"caches/rows.md": "Rows lie one after another [@drepper2007memery, sec. 6].\n"},
    right={"caches/rows.md": "Rows lie one after another [@drepper2007memory, sec. 6].\n"},
)
