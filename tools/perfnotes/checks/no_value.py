"""PN913: a number bound to a claim or fact that has no value."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._bindings import problems
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN913",
    severity=Severity.ERROR,
    title="A number bound to something that has no value",
    why=(
        "The claim or fact exists, but it has no value: the lab was not recorded on its reference "
        "machine, the machine lacked what the run needs, or a formula cannot be computed. Record "
        "the lab, or leave the number out until somebody can record it."
    ),
    wrong={"caches/rows.md": "On a GPU it is [16×](lab:caches/steps#on-a-gpu).\n"},
    right={"caches/rows.md": "On a CPU it is [16×](lab:caches/steps#misses).\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Bindings whose claim or fact has no value."""
    return problems(site, RULE.code)
