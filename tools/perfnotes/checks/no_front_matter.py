"""PN201: a note without front matter, or with front matter that is not closed.

The readers find it.
"""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

_TEXT = b"""---
title: Rows before columns
description: Why the inner loop runs along a row.
tags: [cache]
level: introductory
requires: [caches/lines]
date: 2026-01-31
"""

RULE = Rule(
    code="PN201",
    severity=Severity.ERROR,
    title="No front matter",
    why=(
        "A note starts with its front matter: `key: value` lines between two lines that hold only "
        "`---`. Lists, search and feeds take the title, description, tags and level from there. "
        "Without the second `---`, nobody can tell where the front matter ends."
    ),
    wrong={"caches/rows.md": _TEXT + b"\nA C array lies in memory row by row.\n"},
    right={"caches/rows.md": _TEXT + b"---\n\nA C array lies in memory row by row.\n"},
)
