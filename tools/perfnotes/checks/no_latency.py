"""PN914: a row of the latency numbers without a time."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_CLOCK = """\
title: Clocks
entities:
  clock:
    name: A clock
    kind: cpu
    facts:
      cycle: {value: 0.4, unit: ns, source: "[@drepper2007memory, sec. 3]"}
"""
_TABLE = """\
groups: {cpu: {en: Processor, zh: 处理器}}
rows:
- {label: {en: One cycle, zh: 一个周期}, address: "fact:clock/cycle", group: cpu}
"""

RULE = Rule(
    code="PN914",
    severity=Severity.WARNING,
    title="A latency number without a time",
    why=(
        "The page of latency numbers shows only recorded results and facts. It leaves out this "
        "row, because the row's address leads to no value, to a result that is stale, or to a "
        "value that is not a time above zero."
    ),
    wrong={"latency.yml": _TABLE},
    right={"latency.yml": _TABLE, "facts/clocks.yml": _CLOCK},
)


def find(site: Site) -> Iterator[Finding]:
    """Rows that the page of latency numbers leaves out."""
    source = site.library.sources.get("latency")
    for time in site.latency:
        if time.why and source:
            yield source.finding(time.row.place, RULE.code, time.why, time.hint)
