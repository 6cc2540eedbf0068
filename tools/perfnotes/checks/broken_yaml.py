"""PN104: YAML that does not parse, or has a tab or a repeated key. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN104",
    severity=Severity.ERROR,
    title="Broken YAML",
    why=(
        "Front matter and the tables are YAML: `key: value` lines, indented with spaces. A value "
        "that contains a colon followed by a space needs quotation marks. Tabs cannot indent. A "
        "key may occur only once; otherwise all its values but the last would be lost silently."
    ),
    wrong={"caches/rows.md": "---\ntitle: Rows: why they matter\n---\n"},
    right={"caches/rows.md": '---\ntitle: "Rows: why they matter"\n---\n'},
)
