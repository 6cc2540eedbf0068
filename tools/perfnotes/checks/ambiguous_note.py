"""PN302: a wiki link that could mean several notes. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN302",
    severity=Severity.ERROR,
    title="A wiki link that could mean several notes",
    why=(
        "In `[[…]]` a file name is enough as long as only one note has it. If notes in two topics "
        "share the name, nobody can tell which one is meant. Write the whole id: "
        "`[[topic/name]]`."
    ),
    wrong={
        "gpu/rows.md": "A warp reads along a row as well.\n",
        "caches/columns.md": "Columns are why [[rows]] matter.\n",
    },
    right={
        "gpu/rows.md": "A warp reads along a row as well.\n",
        "caches/columns.md": "Columns are why [[caches/rows]] matter.\n",
    },
)
