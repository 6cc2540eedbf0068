"""PN201: a note without front matter, or with one that never ends. The readers find it."""

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
        "A note starts with its front matter: `key: value` lines between two lines that are only "
        "`---`. Title, description, tags and level come from there, so lists, search and feeds "
        "need it. Without the second `---` the whole note would be taken for front matter."
    ),
    wrong={"caches/rows.md": _TEXT + b"\nA C array lies in memory row by row.\n"},
    right={"caches/rows.md": _TEXT + b"---\n\nA C array lies in memory row by row.\n"},
)
