"""PN903: a fact whose source does not say where in the work the number is."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._citations import citation_problems
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_FACTS = """\
title: Buses
entities:
  bus:
    name: A bus
    kind: bus
    facts:
      rate: {value: 16, unit: GT/s, source: "[@drepper2007memory]"}
"""

RULE = Rule(
    code="PN903",
    severity=Severity.ERROR,
    title="A fact without a source that can be looked up",
    why=(
        "A reader who doubts a number must be able to open its source and find the number there. "
        "So a fact cites a reference of `references.bib` together with the table, page or section."
    ),
    wrong={"facts/buses.yml": _FACTS},
    right={"facts/buses.yml": _FACTS.replace("memory]", "memory, sec. 2]")},
)


def find(site: Site) -> Iterator[Finding]:
    """Facts whose source is no citation, has an unknown key, or names no place in the work.

    A fact with a formula needs no source.
    """
    library = site.library
    for fact in library.facts.by_id.values():
        if fact.formula is not None and not fact.source:
            continue
        source = library.facts.files[fact.file].source
        problems = [*citation_problems(fact.citations, library.references)]
        if not fact.citations:
            problems = [(f"{fact.source!r} is no citation", 'write "[@key, p. 4]"')]
        for message, hint in problems:
            yield source.finding(fact.source_place, RULE.code, f"{fact.id}: {message}", hint)
