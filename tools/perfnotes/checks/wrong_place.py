"""PN801: a file in the wrong place or with a bad name. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN801",
    severity=Severity.ERROR,
    title="A note in the wrong place or with a bad name",
    why=(
        "A note lies at `<topic>/<name>.md`, or at `<topic>/<name>/index.md` if it brings files, "
        "and its topic is listed in `topics.yml`. The path becomes the address of its page, so it "
        "may hold only lower case letters, digits and hyphens. The ending is `.md`, and `.zh.md` "
        "for the Chinese twin."
    ),
    wrong={"caches/Row Major.md": "A C array lies in memory row by row.\n"},
    right={"caches/row-major.md": "A C array lies in memory row by row.\n"},
)
