"""Reads ``notes/facts/*.yml``: entities, their facts, and the names in the facts' formulas.

The columns of the tables that compare entities are read by ``fact_columns``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.model.bilingual import NO_WORDS, bilingual
from perfnotes.model.fact import Entity, Fact, FactFile, Facts
from perfnotes.model.quantity.expression import ExpressionError, parse
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.source import yamlfile
from perfnotes.source.read.fact_columns import read_columns
from perfnotes.text.findings import Finding
from perfnotes.text.inline import scan
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source

_MOST_GUESSES = 50


def read_facts(sources: dict[str, Source]) -> tuple[Facts, list[Finding]]:
    """Return all facts, and findings. ``sources`` maps each file's name (no suffix) to its text."""
    read = [read_fact_file(name, source) for name, source in sources.items()]
    facts, findings = link_facts(file for file, _ in read if file)
    return facts, [finding for _, of_file in read for finding in of_file] + findings


def read_fact_file(name: str, source: Source) -> tuple[FactFile | None, list[Finding]]:
    """Return one file of facts whose formulas are not yet linked, or None; and findings.

    ``name`` is the file's name without its suffix.
    """
    document, findings = yamlfile.load(source)
    if document is None:
        return None, findings
    problems = yamlfile.validate(source, document, "facts", "PN902")
    if problems:
        return None, findings + problems
    return _Reader(name, source, document, findings).file(), findings


def link_facts(files: Iterable[FactFile]) -> tuple[Facts, list[Finding]]:
    """Return all facts, with the facts that their formulas name; and findings."""
    facts = Facts()
    findings: list[Finding] = []
    for file in files:
        entities: dict[str, Entity] = {}
        for id, entity in file.entities.items():
            if id in facts.entities:
                findings += _twice(facts, file, entity)
                continue
            entities[id] = facts.entities[id] = entity
            facts.by_id.update({fact.id: fact for fact in entity.facts.values()})
        facts.files[file.id] = replace(file, entities=entities)
    _link_inputs(facts, findings)
    return facts, findings


def _twice(facts: Facts, file: FactFile, entity: Entity) -> Iterator[Finding]:
    """Report an entity that two files have, in both files, so a check of either shows it."""
    other = next(f for f in facts.files.values() if entity.id in f.entities)
    for one, place, another in (
        (file, entity.place, other),
        (other, other.entities[entity.id].place, file),
    ):
        message = f"the entity {entity.id!r} is also in {another.source.path}"
        yield one.source.finding(place, "PN902", message, "keep one of the two")


class _Reader(Struct, frozen=True):
    """Reads one file, whose shape the schema has accepted."""

    name: str
    source: Source
    document: yamlfile.YamlDocument
    findings: list[Finding]

    def file(self) -> FactFile:
        data = self.document.value
        entities: dict[str, Entity] = {}
        for id, entity in data["entities"].items():
            place = self.document.place(("entities", id))
            facts = {key: self._fact(id, key, each) for key, each in entity["facts"].items()}
            made = {key: fact for key, fact in facts.items() if fact}
            year = entity.get("year", 0)
            entities[id] = Entity(id, bilingual(entity["name"]), entity["kind"], year, made, place)
        title, description = bilingual(data["title"]), bilingual(data.get("description", ""))
        columns, problems = read_columns(self.source, self.document, entities)
        self.findings.extend(problems)
        return FactFile(self.name, title, description, entities, self.source, columns)

    def _report(self, at: int, message: str, hint: str = "") -> None:
        self.findings.append(self.source.finding(at, "PN902", message, hint))

    def _fact(self, entity: str, key: str, data: dict[str, Any]) -> Fact | None:
        path = ("entities", entity, "facts", key)
        formula = None
        try:
            unit(data["unit"])
        except UnitError as error:
            self._report(self.document.place((*path, "unit")), f"{entity}/{key}: {error}")
            return None
        if "formula" in data:
            try:
                formula = parse(data["formula"])
            except ExpressionError as error:
                at = self.document.place((*path, "formula"))
                self._report(at, f"{entity}/{key}: {error.message}")
                return None
        cited = data.get("source", "")
        # A computed fact and the value that a source publishes for it share a name.
        titled = self.document.value.get("names", {}).get(key.removesuffix("-published"))
        return Fact(
            entity=entity,
            name=key,
            unit=data["unit"],
            value=None if formula else float(data["value"]),
            formula=formula,
            source=cited,
            citations=tuple(scan(cited).citations),
            title=bilingual(titled) if titled else NO_WORDS,
            what=bilingual(data.get("what", "")),
            qualifier=bilingual(data.get("qualifier", "")),
            file=self.name,
            place=self.document.place(path),
            source_place=self.document.place((*path, "source")),
        )


def _as_name(id: str) -> str:
    """Return how a formula writes an id: without hyphens and dots, which are operators there."""
    return id.replace("-", "_").replace(".", "_")


def _link_inputs(facts: Facts, findings: list[Finding]) -> None:
    """Set ``inputs`` of every fact with a formula: the facts that the formula's names stand for.

    A name that stands for no fact is added to ``findings``.
    """
    owners = {_as_name(id): id for id in facts.entities}
    names = {
        id: {_as_name(key): fact.id for key, fact in entity.facts.items()}
        for id, entity in facts.entities.items()
    }
    for fact in list(facts.by_id.values()):
        if fact.formula is None:
            continue
        inputs: dict[str, str] = {}
        source = facts.files[fact.file].source
        for name in fact.formula.names:
            owner, dot, wanted = name.partition(".")
            about = owners.get(owner, "") if dot else fact.entity
            found = names.get(about, {})
            key = wanted if dot else owner
            if key in found:
                inputs[name] = found[key]
                continue
            guess = None
            if len(findings) < _MOST_GUESSES:  # a guess compares with every name and takes time
                guess = nearest(key, found) if about else nearest(owner, owners)
            hint = f"did you mean {guess}?" if guess else "hyphens and dots are written as _"
            message = f"{fact.id}: no fact is called {name!r}"
            findings.append(source.finding(fact.place, "PN902", message, hint))
        facts.by_id[fact.id] = replace(fact, inputs=inputs)
    for id, entity in facts.entities.items():
        with_inputs = {key: facts.by_id[fact.id] for key, fact in entity.facts.items()}
        facts.entities[id] = replace(entity, facts=with_inputs)
    for name, file in facts.files.items():
        entities = {id: facts.entities[id] for id in file.entities}
        facts.files[name] = replace(file, entities=entities)
