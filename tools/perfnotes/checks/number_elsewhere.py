"""PN924: a number of a title, heading, formula or code span that the prose does not have."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.coverage import WITHOUT
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN924",
    severity=Severity.ERROR,
    title="A number outside of the prose that the prose does not show",
    why=(
        "A title, a description, a heading, a formula or a code span cannot bind a number, and "
        "readers meet titles and descriptions first, in lists and in search. So each number there "
        "must be one that the prose of the same text shows with evidence, after rounding to the "
        "digits shown. Words count as digits do (*a factor of 77*, 七十七倍, `77&times;`). Mend "
        "the number, leave it out, or list it in the front matter: under `chosen:` if the author "
        "chose that size, under `waived:` with the reason otherwise."
    ),
    wrong={
        "caches/steps/index.md": "---\ntitle: Columns touch 17× as many lines\n---\n"
        "Columns touch [16×](lab:misses) as many.\n"
    },
    right={
        "caches/steps/index.md": "---\ntitle: Columns touch 16× as many lines\n---\n"
        "Columns touch [16×](lab:misses) as many.\n"
    },
)
_SHOWN = {
    "title": "the title", "description": "the description", "heading": "a heading",
    "formula": "a formula", "code": "a code span", "block": "a code block",
    "tooltip": "a title or attribute",
}  # fmt: skip


def find(site: Site) -> Iterator[Finding]:
    """Quantities outside of the prose that are not among those which have evidence there."""
    for coverage in site.coverages.values():
        source = coverage.links.text.body.source
        for where, judged in coverage.outside:
            if judged.state == WITHOUT:
                message = f"{judged.quantity.text} in {_SHOWN[where]} is not bound in the text"
                hint = "write the bound number, leave it out, or list it under waived:"
                yield source.finding(judged.quantity.start, RULE.code, message, hint)
