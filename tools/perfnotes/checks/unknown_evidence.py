"""PN910: a number bound to a lab or fact that is not known."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._bindings import problems
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN910",
    severity=Severity.ERROR,
    title="A number bound to a lab or fact that is not known",
    why=(
        "`[9.4×](lab:slowdown)` says that a lab measured the number, `[…](fact:…)` that it comes "
        "from a source. The lab, claim, machine or fact that this link names does not exist. "
        "Correct the name, add the lab or fact, or write the number with a citation."
    ),
    wrong={"caches/rows.md": "Along the columns it is [16×](lab:caches/steps#mises) as many.\n"},
    right={"caches/rows.md": "Along the columns it is [16×](lab:caches/steps#misses) as many.\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Bindings whose address names an unknown lab, claim, machine or fact."""
    return problems(site, RULE.code)
