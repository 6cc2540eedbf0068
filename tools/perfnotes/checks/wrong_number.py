"""PN911: a bound number whose digits are not those of its evidence."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._bindings import problems
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN911",
    severity=Severity.ERROR,
    title="A bound number that differs from its evidence",
    why=(
        "The link says where the number comes from, and the value there is a different one. The "
        "two are compared in the text's unit, after the value is rounded to the digits that the "
        "text shows. `perfnotes fix` writes the right digits. If the sentence around them is no "
        "longer true, correct it as well."
    ),
    wrong={"caches/rows.md": "Along the columns it is [17×](lab:caches/steps#misses) as many.\n"},
    right={"caches/rows.md": "Along the columns it is [16×](lab:caches/steps#misses) as many.\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Bindings whose digits differ from those of the value."""
    return problems(site, RULE.code)
