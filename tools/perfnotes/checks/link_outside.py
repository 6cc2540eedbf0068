"""PN306: a link that leads out of the notes. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN306",
    severity=Severity.ERROR,
    title="A link that leads out of the notes",
    why=(
        "The site holds the notes, the pages in `docs/` and the files beside them, and nothing "
        "else of the repository. A relative link to anything else would be broken on the site. "
        "Copy the file beside the note, or link its public address."
    ),
    wrong={"caches/rows.md": "The loop is in [the source](../../src/loop.c).\n"},
    right={
        "caches/rows.md": "The loop is in [the source](loop.c).\n",
        "caches/loop.c": "for (int i = 0; i < n; i++) sum += row[i];\n",
    },
)
