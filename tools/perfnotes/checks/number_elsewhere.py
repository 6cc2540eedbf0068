"""PN924: a number in a title, heading, formula or code that the prose does not show."""

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
        "A title, a description, a symptom, a heading, a formula or code cannot bind a number, and "
        "readers see titles, descriptions and symptoms first, in lists and in search. So the prose "
        "of the same text "
        "must show each of these numbers with evidence, equal after rounding to the digits shown; "
        "for a formula or a code span, a citation with its page in the same sentence is enough. "
        "Numbers in words count as well (*a factor of 77*, 七十七倍, `77&times;`). Correct the "
        "number, leave it out, or list it in the front matter: under `chosen:` if the author chose "
        "that size, otherwise under `waived:` with the reason."
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
    "tooltip": "a title or attribute", "symptom": "a symptom",
}  # fmt: skip


def find(site: Site) -> Iterator[Finding]:
    """Quantities outside of the prose that the prose does not show with evidence."""
    for coverage in site.coverages.values():
        source = coverage.links.text.body.source
        for where, judged in coverage.outside:
            if judged.state == WITHOUT:
                message = f"{judged.quantity.text} in {_SHOWN[where]} is not bound in the text"
                hint = "write the bound number, leave it out, or list it under waived:"
                yield source.finding(judged.quantity.start, RULE.code, message, hint)
