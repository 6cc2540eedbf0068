"""PN202: front matter that the schema does not allow. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN202",
    severity=Severity.ERROR,
    title="Front matter with a wrong or missing key",
    why=(
        "Each key of the front matter has a meaning and a form; a misspelt key would silently have "
        "no effect. The JSON Schema lists the keys. An editor that knows the schema completes and "
        "checks the keys while you type."
    ),
    wrong={"caches/rows.md": "---\nlevel: beginner\nrequire: [caches/lines]\n---\n"},
    right={"caches/rows.md": "---\nlevel: introductory\nrequires: [caches/lines]\n---\n"},
)
