"""PN304: a relative link or image that leads to no file. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN304",
    severity=Severity.ERROR,
    title="A link or image that leads to no file",
    why=(
        "A Markdown link is relative to the file that it stands in, with the file's ending, so "
        "that it works on a code host and here alike. This one leads to nothing: a name is "
        "misspelt, or the file was moved."
    ),
    wrong={"caches/rows.md": "A loop along a row uses each [line](lines) whole.\n"},
    right={"caches/rows.md": "A loop along a row uses each [line](lines.md) whole.\n"},
)
