"""PN105: a file name with characters that do not print. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN105",
    severity=Severity.ERROR,
    title="A file name that does not print",
    why=(
        "File names become addresses. One with a line break, a control character or bytes that "
        "are not UTF-8 makes an address that nobody can read or type, and not every system can "
        "store it."
    ),
    wrong={"caches/row\nmajor.md": "Text.\n"},
    right={"caches/row-major.md": "Text.\n"},
    in_words=("A file called `row⏎major.md`, with a line break in its name.", "`row-major.md`"),
)
