"""PN932: a sentence that was reviewed and is not in the text any more."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.reviews import review_states
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_NOTE = "A C array lies in memory row by row.\n"
_REVIEW = """\
readings:
- by: maintainers
  kind: sources
  date: 2026-01-31
  text: 97809e703d896516
  statements: |
    {digest} A C array lies in memory row by row.
"""

RULE = Rule(
    code="PN932",
    severity=Severity.NOTE,
    title="A reviewed sentence that has changed",
    why=(
        "A review keeps a digest of each sentence that somebody read against its sources. The text "
        "has no sentence with this digest any more: it was changed or removed, so nobody has read "
        "what stands there now. This is no error, and the page counts the sentence as changed "
        "since. Whoever reads the new sentence records it with `perfnotes reviewed`."
    ),
    wrong={
        "caches/rows.md": _NOTE,
        "caches/rows.review.yml": _REVIEW.format(digest="0123456789ab"),
    },
    right={
        "caches/rows.md": _NOTE,
        "caches/rows.review.yml": _REVIEW.format(digest="bf4e627b6ffa"),
    },
)

LOOKS_AT = frozenset({"review"})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Sentences of the reviews of a text that it no longer has."""
    for text in site.library.texts_of(links.text.id) if links.text.kind == "note" else ():
        if f"notes/{text.file}" != links.text.path:
            continue
        for state in review_states(site, text):
            source = site.library.reviews[text.file].source
            for sentence in state.changed:
                message = (
                    f"changed or removed since {state.date}: {sentence.words or sentence.digest}"
                )
                lang = "" if text.lang == site.library.main_language else f" --lang {text.lang}"
                hint = (
                    "read the sentence that stands there now, and run "
                    f"perfnotes reviewed {text.id}{lang} --lines LINE"
                )
                yield source.finding(sentence.offset, RULE.code, message, hint)
