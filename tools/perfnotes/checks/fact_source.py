"""PN903: a fact whose source does not say where in the work the number is."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

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

        def report(message: str, hint: str, at: int = fact.source_place) -> Finding:
            return source.finding(at, RULE.code, message, hint)  # noqa: B023

        items = [item for citation in fact.citations for item in citation.items]
        if not items:
            hint = 'write "[@key, p. 4]"'
            yield report(f"{fact.id}: {fact.source!r} is no citation", hint)
        for item in items:
            if item.key not in library.references:
                guess = nearest(item.key, library.references)
                hint = f"did you mean @{guess}?" if guess else "add it to references.bib"
                yield report(f"{fact.id}: no reference has the key {item.key!r}", hint)
            elif not item.locator:
                hint = f'name the table, page or section: "[@{item.key}, table 1]"'
                yield report(f"{fact.id}: the source does not say where the number is", hint)
