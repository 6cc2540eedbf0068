"""PN920: a quantity that nothing stands behind."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.coverage import WITHOUT
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN920",
    severity=Severity.WARNING,
    title="A quantity without evidence",
    why=(
        "A number that nobody can trace is an opinion. Bind it to a lab or a fact "
        "(`[9.4×](lab:slowdown)`), or cite its source with the place in it, in the same sentence "
        "or table row. A size that the author chose is listed under `chosen:` in the front "
        "matter, and what has to stay without evidence under `waived:`, with the reason."
    ),
    wrong={"caches/rows.md": "A miss costs 80 ns [@drepper2007memory].\n"},
    right={"caches/rows.md": "A miss costs 80 ns [@drepper2007memory, sec. 3.3].\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Numbers with a unit, a factor or a per cent, and findings, without evidence."""
    for coverage in site.coverages.values():
        source = coverage.links.text.body.source
        for judged in coverage.judged:
            if judged.state == WITHOUT:
                where = f" (in {judged.figure.rpartition('/')[2]})" if judged.figure else ""
                message = f"{judged.quantity.text}{where} has no evidence"
                hint = "bind it, cite its source with a place in it, or list it under chosen:"
                yield source.finding(judged.quantity.start, RULE.code, message, hint)
