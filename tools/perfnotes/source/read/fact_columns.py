"""Reads ``compare`` of a file of facts: which facts stand beside each other, in which units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfnotes.model.bilingual import bilingual
from perfnotes.model.fact import Column, Entity, Fact
from perfnotes.model.quantity.units import UnitError, factor, unit
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source

Columns = Mapping[str, tuple[Column, ...]]


def read_columns(
    source: Source, document: yamlfile.YamlDocument, entities: Mapping[str, Entity]
) -> tuple[Columns, list[Finding]]:
    """Return the columns by kind of entity, and a finding for each that cannot be filled."""
    columns: dict[str, tuple[Column, ...]] = {}
    findings: list[Finding] = []
    for kind, given in document.value.get("compare", {}).items():
        columns[kind] = tuple(map(_column, given))
        facts: dict[str, list[Fact]] = {}
        for entity in entities.values():
            if entity.kind == kind:
                for fact in entity.facts.values():
                    facts.setdefault(fact.name, []).append(fact)
        for i, column in enumerate(columns[kind]):
            at = document.place(("compare", kind, i))
            for message, hint in _problems(column, kind, facts):
                findings.append(source.finding(at, "PN902", message, hint))
    return columns, findings


def _column(data: dict[str, Any]) -> Column:
    title = bilingual(data.get("name", ""))
    return Column(tuple(data["facts"]), title, tuple(data.get("units", ())))


def _problems(
    column: Column, kind: str, facts: Mapping[str, list[Fact]]
) -> Iterator[tuple[str, str]]:
    """Yield a message and a hint for each name or unit that fits no fact."""
    for name in column.facts:
        if name not in facts:
            guess = nearest(name, facts)
            hint = f"did you mean {guess}?" if guess else ""
            yield f"no {kind} of this file has a fact {name!r}", hint
    for name in column.units:
        try:
            target = unit(name)
            for fact in (each for key in column.facts for each in facts.get(key, ())):
                factor(unit(fact.unit), target)
        except UnitError as error:
            yield f"the column of {column.facts[0]!r}: {error}", ""
