"""PN404: an annotation of a reference that does not exist. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN404",
    severity=Severity.ERROR,
    title="An annotation without its reference",
    why=(
        "A file in `notes/references/` holds our remarks about a work, and its name is the work's "
        "key. No reference has this key, so there is no page that could show the remarks."
    ),
    wrong={"references/drepper2007.md": "The chapter on caches is the one to read first.\n"},
    right={"references/drepper2007memory.md": "The chapter on caches is the one to read first.\n"},
)
