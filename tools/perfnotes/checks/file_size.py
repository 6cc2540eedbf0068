"""PN102: a file that is too large for a note. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity
from perfnotes.text.source import LARGEST_FILE

RULE = Rule(
    code="PN102",
    severity=Severity.ERROR,
    title="A file that is too large",
    why=(
        "A note is one page that a person reads; a megabyte of text is a book. A file above 1 MiB "
        "is usually a log or data in the wrong place. Put data into a file of its own beside the "
        "note, or split the text into several notes."
    ),
    wrong={"caches/rows.md": "row column\n" * (LARGEST_FILE // 11 + 1)},
    right={"caches/rows.md": "A row, then a column.\n"},
    in_words=("A note of 20 MB.", "A note of a few kilobytes that links to `trace.txt` beside it."),
)
