"""PN103: a file or folder that cannot be read. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN103",
    severity=Severity.ERROR,
    title="A file that cannot be read",
    why=(
        "A file that cannot be read would silently be missing from the site. Usually the file's "
        "permissions are the cause, or there is a folder where a file is expected."
    ),
    wrong={"glossary.yml/words.txt": "cache line\n"},
    right={"glossary.yml": "# No terms yet.\n"},
    in_words=(
        "`chmod 000 rows.md`, or a folder that is called `glossary.yml`.",
        "`chmod 644 rows.md`, and a file that is called `glossary.yml`.",
    ),
)
