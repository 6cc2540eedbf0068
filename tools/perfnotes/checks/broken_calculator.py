"""PN908: a calculator that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.calculators import placed_calculators
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_CALC = """\
rate:
  title: {en: From lines to a rate, zh: 由缓存行到速率}
  inputs:
    lines: {what: {en: lines per second, zh: 每秒缓存行数}, unit: line/s, value: 1000}
  outputs:
    rate: {what: {en: bytes per second, zh: 每秒字节数}, unit: "", formula: lines * 64}
  cases:
  - {what: {en: a thousand lines, zh: 一千行}, values: {lines: 1000}}
"""
_FENCE = "```text calc=rate\nrate = lines * 64\n```\n"

RULE = Rule(
    code="PN908",
    severity=Severity.ERROR,
    title="A calculator that cannot be used",
    why=(
        "`calc.yml` beside a note describes its calculators: inputs, formulas with their units, "
        "and worked cases; its schema is `schemas/calc.json`. The formulas are computed with their "
        "units. If a case states a result from a source (`gives`), the formulas must give the same "
        "result. A fence such as `text calc=rate` in the note must hold exactly the formulas."
    ),
    wrong={"caches/steps/calc.yml": _CALC, "caches/steps/index.md": _FENCE},
    right={
        "caches/steps/calc.yml": _CALC.replace('unit: ""', "unit: line/s"),
        "caches/steps/index.md": _FENCE,
    },
)

LOOKS_AT = frozenset({"calculators"})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences that name an unknown calculator, or whose lines are not its formulas."""
    for each in placed_calculators(links, site.library):
        if each.problem:
            at = each.fence.info_start
            yield links.text.body.source.finding(at, RULE.code, *each.problem)
