"""PN920: a quantity without evidence."""

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
        "A reader cannot check a number without evidence. Bind it to a lab or a fact "
        "(`[9.4×](lab:slowdown)`), or cite its source with the page, table or section, in the same "
        "sentence or table row. List a size that the author chose under `chosen:` in the front "
        "matter, and a number that has to stay without evidence under `waived:`, with the reason."
    ),
    wrong={"caches/rows.md": "A miss costs 80 ns [@drepper2007memory].\n"},
    right={"caches/rows.md": "A miss costs 80 ns [@drepper2007memory, sec. 3.3].\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Quantities of the text and of its figures that have no evidence."""
    for coverage in site.coverages.values():
        source = coverage.links.text.body.source
        for judged in coverage.judged:
            if judged.state == WITHOUT:
                where = f" (in {judged.figure.rpartition('/')[2]})" if judged.figure else ""
                message = f"{judged.quantity.text}{where} has no evidence"
                hint = "bind it, cite its source with the page, or list it under chosen:"
                yield source.finding(judged.quantity.start, RULE.code, message, hint)
