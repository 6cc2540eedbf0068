"""PN106: a symbolic link that is not followed. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule, Symlink
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN106",
    severity=Severity.ERROR,
    title="A symbolic link that leads out of the notes",
    why=(
        "A symbolic link that leads out of the folder could publish any file of the machine that "
        "builds the site. Links to folders are not followed either, because they can lead in "
        "circles. Copy the files that you need into the notes."
    ),
    wrong={"caches/rows.md": Symlink("../../secrets.md")},
    right={"caches/rows.md": "Text.\n"},
    in_words=("`caches/rows.md` is a symbolic link to `../../secrets.md`.",
              "`caches/rows.md` is a file."),
)  # fmt: skip
