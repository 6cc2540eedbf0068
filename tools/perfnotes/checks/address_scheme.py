"""PN602: a link with a scheme that is not allowed. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN602",
    severity=Severity.ERROR,
    title="A link with a scheme that is not allowed",
    why=(
        "A link is relative, or starts with `https:` or `http:` (a bound number with `lab:` or "
        "`fact:`). Other schemes can run code (`javascript:`), hide content (`data:`), open the "
        "reader's own files (`file:`) or expose mail addresses to collectors (`mailto:`)."
    ),
    wrong={"caches/rows.md": "See the [manual](file:///usr/share/doc/gcc/README).\n"},
    right={"caches/rows.md": "See the [manual](https://gcc.gnu.org/onlinedocs/).\n"},
)
