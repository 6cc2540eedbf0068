"""PN601: HTML that may not be published. ``site/safety.py`` finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN601",
    severity=Severity.ERROR,
    title="HTML that may not be published",
    why=(
        "The finished HTML of every page is compared with a list of elements, attributes and "
        "addresses that can do no harm; anything else stops the build. So no trick of Markdown "
        "can bring an event handler or a script into a page."
    ),
    wrong={"caches/rows.md": 'See the [lines](lines.md){onclick="alert(1)"}.\n'},
    right={"caches/rows.md": "See the [lines](lines.md).\n"},
)
