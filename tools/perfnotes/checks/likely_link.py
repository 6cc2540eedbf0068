"""PN305: double brackets that look like a wiki link. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN305",
    severity=Severity.WARNING,
    title="Text that looks like a wiki link",
    why=(
        "Double brackets are a test in bash and an attribute in C++, so brackets that name no note "
        "stay plain text. These look like a link, because their text has a hyphen, a `/` or a `#`, "
        "or because it is a name in notes that were not written for perfnotes. If it is a link, "
        "write the note or correct the name; if not, put it into a code span."
    ),
    wrong={"caches/rows.md": "Prefetchers help too, see [[hardware-prefetching]].\n"},
    right={"caches/rows.md": "Prefetchers help too. In C++, `[[no-such-attribute]]` is ignored.\n"},
)
