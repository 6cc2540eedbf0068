"""PN902: facts that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.fact import FactError
from perfnotes.text.findings import Finding, Severity

_FACTS = """\
title: Buses
entities:
  bus:
    name: A bus
    kind: bus
    facts:
      rate: {value: 16, unit: GT/s, source: "[@drepper2007memory, sec. 2]"}
      width: {value: 16, unit: bit/T, source: "[@drepper2007memory, sec. 2]"}
      bandwidth: {formula: rate * width, unit: GB/s}
"""

RULE = Rule(
    code="PN902",
    severity=Severity.ERROR,
    title="A fact that cannot be used",
    why=(
        "A fact is a value with its unit and source, or a formula over other facts. Formulas are "
        "computed with their units. If the result cannot be converted to the fact's `unit`, the "
        "formula or a unit is wrong."
    ),
    wrong={"facts/buses.yml": _FACTS.replace("rate * width", "rate + width")},
    right={"facts/buses.yml": _FACTS},
)


def find(site: Site) -> Iterator[Finding]:
    """Formulas that cannot be computed."""
    facts = site.library.facts
    for fact in facts.by_id.values():
        if fact.formula is None or set(fact.formula.names) - set(fact.inputs):
            continue  # unknown names were already reported when the file was read
        try:
            facts.value(fact.id)
        except FactError as error:
            source = facts.files[fact.file].source
            yield source.finding(fact.place, RULE.code, f"{fact.id}: {error}", "mend the formula")
