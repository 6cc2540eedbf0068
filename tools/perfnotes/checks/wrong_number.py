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
    title="A bound number that is not the recorded one",
    why=(
        "The link says where the number comes from, and there it is another. The value is "
        "rounded to the digits that the text shows, in the text's unit. `perfnotes fix` writes "
        "the right digits; if the sentence around them no longer holds, mend that too."
    ),
    wrong={"caches/rows.md": "Along the columns it is [17×](lab:caches/steps#misses) as many.\n"},
    right={"caches/rows.md": "Along the columns it is [16×](lab:caches/steps#misses) as many.\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Bindings whose text shows other digits."""
    return problems(site, RULE.code)
