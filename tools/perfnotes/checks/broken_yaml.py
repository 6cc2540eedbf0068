"""PN104: YAML that does not parse, has a tab or a key twice. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN104",
    severity=Severity.ERROR,
    title="Broken YAML",
    why=(
        "Front matter and the tables are YAML: `key: value` lines, indented with spaces. A value "
        "that holds a colon and a space needs quotation marks, tabs do not indent, and a key "
        "stands once, since of two the first would be lost without a word."
    ),
    wrong={"caches/rows.md": "---\ntitle: Rows: why they matter\n---\n"},
    right={"caches/rows.md": '---\ntitle: "Rows: why they matter"\n---\n'},
)
