"""Findings of the checks that are new or gone, without those about links."""

from __future__ import annotations

from perfnotes.review.entry import Line, ReportEntry, ReportPart, line
from perfnotes.review.pair import Pair
from perfnotes.review.parts._findings import changes
from perfnotes.text.findings import Finding

PLACE = 80


def compare(pair: Pair) -> ReportPart:
    come, gone = changes(pair, links=False)
    found = [ReportEntry(f"new {f.severity.value}", _line(f), _hint(f), f.path) for f in come]
    found += [ReportEntry(f"{f.severity.value} gone", _line(f), path=f.path) for f in gone]
    order = ["new error", "new warning", "error gone", "warning gone", "new note", "note gone"]
    return ReportPart(
        "findings", "Findings", tuple(sorted(found, key=lambda e: order.index(e.kind)))
    )


def _line(finding: Finding) -> Line:
    place = f"{finding.path}:{finding.line}:{finding.column}"
    return line("{}: {} {}", place, finding.code, finding.message)


def _hint(finding: Finding) -> tuple[Line, ...]:
    return (line("{}", finding.hint),) if finding.hint else ()
