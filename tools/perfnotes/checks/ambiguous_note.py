"""PN302: a wiki link that several notes answer to. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN302",
    severity=Severity.ERROR,
    title="A wiki link that several notes answer to",
    why=(
        "A file name alone is enough in `[[…]]` while only one note has it. Where notes in two "
        "topics share the name, nobody can tell which of them is meant, so write the whole id: "
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
