"""PN802: two pages at one address. The readers and the stage find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN802",
    severity=Severity.ERROR,
    title="A page that would overwrite another",
    why=(
        "Two files or aliases lead to the same address, so one of the two pages would be lost. "
        "Addresses that differ only in upper and lower case count as the same, because some file "
        "systems do not distinguish them."
    ),
    wrong={
        "caches/rows.md": "A C array lies in memory row by row.\n",
        "caches/rows/index.md": "---\ntitle: Rows\n---\n\nA row is what lies together.\n",
    },
    right={
        "caches/rows.md": "A C array lies in memory row by row.\n",
        "caches/columns/index.md": "---\ntitle: Columns\n---\n\nA column is spread out.\n",
    },
)
