"""PN404: an annotation of a reference that does not exist. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN404",
    severity=Severity.ERROR,
    title="An annotation without its reference",
    why=(
        "A file in `notes/references/` is what we say about a work, and its name is the work's "
        "key. Without a reference of that key there is no page on which it could stand."
    ),
    wrong={"references/drepper2007.md": "The chapter on caches is the one to read first.\n"},
    right={"references/drepper2007memory.md": "The chapter on caches is the one to read first.\n"},
)
