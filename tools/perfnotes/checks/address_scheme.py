"""PN602: a link with a scheme that is not allowed. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN602",
    severity=Severity.ERROR,
    title="A link with a scheme that is not allowed",
    why=(
        "Links are relative, or start with `https:` or `http:`. Others can run code "
        "(`javascript:`), hide content (`data:`), read the reader's files (`file:`) or give mail "
        "addresses to collectors (`mailto:`)."
    ),
    wrong={"caches/rows.md": "See the [manual](file:///usr/share/doc/gcc/README).\n"},
    right={"caches/rows.md": "See the [manual](https://gcc.gnu.org/onlinedocs/).\n"},
)
