"""PN304: a relative link or image that leads to no file. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN304",
    severity=Severity.ERROR,
    title="A link or image that leads to no file",
    why=(
        "A Markdown link gives the path from the file that holds the link, with the file's ending, "
        "so that it works both on a code host and on the site. No file is at this path: a name is "
        "misspelt, or the file was moved. The code also reports an empty link, a path that starts "
        "with `/`, a link to a draft, and a web address that cannot be parsed."
    ),
    wrong={"caches/rows.md": "A loop along a row uses each [line](lines) whole.\n"},
    right={"caches/rows.md": "A loop along a row uses each [line](lines.md) whole.\n"},
)
