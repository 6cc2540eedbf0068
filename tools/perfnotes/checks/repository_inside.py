"""PN110: a git repository inside the notes. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN110",
    severity=Severity.ERROR,
    title="A git repository inside the notes",
    why=(
        "git takes every folder with `HEAD`, `objects/` and `refs/` for a repository, and these "
        "are files that a pull request can add. Such a repository could name other authors and "
        "dates, and call any text of a lab trusted, so no history is read where one is in the way. "
        "Remove or rename its files; a folder with a `.git` of its own belongs beside the notes."
    ),
    wrong={
        "caches/HEAD": "ref: refs/heads/main\n",
        "caches/objects/info/packs": "P pack-0f0f.pack\n",
        "caches/refs/heads/main": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f\n",
    },
    right={"caches/rows.md": "A row lies in one piece.\n"},
    in_words=(
        "The files `HEAD`, `objects/info/packs` and `refs/heads/main` in the folder `caches/`.",
        "A folder without these files.",
    ),
)
