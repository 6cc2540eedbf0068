"""PN931: a review without its text."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

_REVIEW = """\
readings:
- by: maintainers
  kind: sources
  date: 2026-01-31
  text: 97809e703d896516
  statements: ""
"""

RULE = Rule(
    code="PN931",
    severity=Severity.ERROR,
    title="A review without its text",
    why=(
        "A review lies beside the text that was read: `rows.review.yml` beside `rows.md`, "
        "`rows.zh.review.yml` beside `rows.zh.md`, `index.review.yml` beside `index.md`. Here "
        "there is no such text: the review was misnamed, or the text was moved without it."
    ),
    wrong={"caches/row.review.yml": _REVIEW},
    right={"caches/rows.review.yml": _REVIEW},
)


def find(site: Site) -> Iterator[Finding]:
    """Reviews whose text is neither a note, nor a draft, nor a translation of one of these."""
    library = site.library
    known = {text.file for text in library.texts}
    for draft in library.drafts.values():  # the library has no translations of drafts
        known |= {draft.file, f"{draft.file.removesuffix('.md')}.zh.md"}
    for file, review in library.reviews.items():
        if file not in known:
            guess = nearest(file, known, 0.8)
            hint = f"did you mean {guess}?" if guess else "move or remove the review"
            message = f"a review of {file!r}, which does not exist"
            yield review.source.finding(0, RULE.code, message, hint)
