"""PN930: a review that cannot be read. The reader finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

_REVIEW = """\
readings:
- by: maintainers
  kind: {kind}
  date: 2026-01-31
  text: 97809e703d896516
  statements: ""
"""

RULE = Rule(
    code="PN930",
    severity=Severity.ERROR,
    title="A review that cannot be read",
    why=(
        "`rows.review.yml` records who read `rows.md`, when, and which sentences; its schema is "
        "`schemas/review.json`. `perfnotes reviewed` writes it, so it need not be written by hand. "
        "`kind` is `sources` (each sentence was held against the sources that it cites) or "
        "`expert` (somebody who works in the field judged it); these are not the same."
    ),
    wrong={"caches/rows.review.yml": _REVIEW.format(kind="thorough")},
    right={"caches/rows.review.yml": _REVIEW.format(kind="sources")},
)
