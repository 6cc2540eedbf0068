"""``perfnotes new fact``: a new fact of an entity, whose value is computed before it is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from perfnotes.contribute.new._answers import Answers, one_of
from perfnotes.contribute.new._creation_plan import CreationPlan, NewError, refuse, wrong_names
from perfnotes.contribute.new._names import why_not
from perfnotes.fixes.move.changes import Changes, edited
from perfnotes.model.fact import FactError, FactFile, Facts
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.source import yamlfile
from perfnotes.source.names import NAMES
from perfnotes.source.read.facts import read_facts
from perfnotes.source.yamltext import YamlText, yaml_scalar
from perfnotes.text.inline import scan
from perfnotes.text.nearest import no_such
from perfnotes.text.source import Source, read_source
from perfnotes.text.tokens import TextEdit

_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]\d+)?)?")
_ENTITY = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_FOLDER = "notes/facts"
_NEEDED = {
    "value": "its value",
    "source": "the key of the reference that gives the value",
    "place": "the place in that reference, such as table 1",
}


def planned_fact(root: Path, answers: Answers) -> CreationPlan:
    """Plans a fact after the last one of its entity, or a new entity with this fact.

    Raises ``NewError`` if the facts file would not be read as intended, or the formula fails.
    """
    sources, facts = _read(root)
    answers.expect(_NEEDED if not answers.option("formula") else {})
    id = answers.need(
        "ENTITY/NAME", "the fact's id, such as epyc-7742/l3", lambda i: _wrong(i, facts)
    )
    entity, _, name = id.partition("/")
    file = next((f for f in facts.files.values() if entity in f.entities), None)
    target = file or _file(facts, answers)
    fields = _fields(root, answers)
    made = _entity(entity, answers) if file is None else []
    edit = _edit(target, entity, name, fields, made)
    changes = Changes()
    changes.edit(target.source.path, edit)
    text = edited(target.source.text, [edit])
    now, findings = read_facts(sources | {target.id: Source(target.source.path, text)})
    refuse(findings)
    if id not in now.by_id:
        raise NewError(
            f"{target.source.path}: its form leaves no place for a new fact: add it by hand"
        )
    try:
        shown = f"{now.value(id).median:.6g} {now.by_id[id].unit}".strip()
    except FactError as error:
        raise NewError(f"--formula: {error}") from None
    return CreationPlan(
        changes,
        (
            (f"$EDITOR {target.source.path}", f"a note shows it as [{shown}](fact:{id})"),
            (f"perfnotes check {target.source.path}", "says what to mend"),
        ),
    )


def _read(root: Path) -> tuple[dict[str, Source], Facts]:
    sources = {}
    for file in sorted((root / _FOLDER).glob("*.yml")):
        source, findings = read_source(file, f"{_FOLDER}/{file.name}")
        refuse(findings)
        assert source
        sources[file.stem] = source
    facts, findings = read_facts(sources)
    refuse(findings)
    return sources, facts


def _wrong(id: str, facts: Facts) -> str:
    """Return why a new fact cannot have this id, or "" if it can."""
    entity, slash, name = id.partition("/")
    if not slash:
        return f"{id!r} is no fact's id: write entity/name"
    if not _ENTITY.fullmatch(entity):
        return f"{entity!r} is no entity's id: lower case letters, digits, hyphens and dots"
    if wrong := why_not(name):
        return wrong
    if id in facts.by_id:
        return f"{id} is there already, in {_FOLDER}/{facts.by_id[id].file}.yml"
    return ""


def _fields(root: Path, answers: Answers) -> list[tuple[str, str]]:
    """Return the fact's YAML keys with their values, as they are written."""
    formula = answers.option("formula")
    value = "" if formula else answers.need("value", _NEEDED["value"], _wrong_number)
    found = [("formula", yaml_scalar(formula))] if formula else [("value", value)]
    bare = answers.is_empty("unit")
    written = "" if bare else answers.need("unit", "its unit, such as GB/s", _wrong_unit)
    found.append(("unit", yaml_scalar(written) if written else '""'))
    if words := answers.optional("qualifier", "the words without which the value means nothing"):
        chinese = answers.optional("qualifier_zh", "the same in Chinese")
        zh = f", zh: {yaml_scalar(chinese)}" if chinese else ""
        found.append(("qualifier", f"{{en: {yaml_scalar(words)}{zh}}}"))
    if not formula:
        keys = sorted(set(NAMES["KEY"](root / "notes")))
        key = answers.need(
            "source",
            _NEEDED["source"],
            lambda k: wrong_names(k, "reference", keys, "notes/references.bib"),
        )
        place = answers.need("place", _NEEDED["place"], lambda p: _wrong_place(key, p))
        found.append(("source", f'"[@{key}, {place}]"'))
    return found


def _wrong_number(text: str) -> str:
    return "" if _NUMBER.fullmatch(text) else f"{text!r} is no number such as 64, 2.25 or 1.5e+9"


def _wrong_unit(text: str) -> str:
    try:
        unit(text)
    except UnitError as error:
        return str(error)
    return ""


def _wrong_place(key: str, place: str) -> str:
    text = f"[@{key}, {place}]"
    items = [item for citation in scan(text).citations for item in citation.items]
    whole = len(items) == 1 and items[0].locator and '"' not in place and "\\" not in place
    return "" if whole else f"{text} is no citation with one place"


def _file(facts: Facts, answers: Answers) -> FactFile:
    """Return the facts file that the new entity goes into."""
    known = (
        ", ".join(facts.files) or "none yet: a file needs a title and entities, see docs/labs.md"
    )
    name = answers.need(
        "file",
        f"the file for a new entity ({known})",
        lambda n: "" if n in facts.files else no_such("file of facts", n, facts.files, _FOLDER),
    )
    return facts.files[name]


def _entity(id: str, answers: Answers) -> list[str]:
    """Return the first lines of a new entity, down to ``facts:``."""
    entities: Any = yamlfile.schema("facts").definition["properties"]["entities"]
    (entity,) = entities["patternProperties"].values()
    kinds = entity["properties"]["kind"]["enum"]
    name = answers.need("entity", "the entity's name, as people write it")
    kind = answers.need("kind", f"its kind ({', '.join(kinds)})", one_of(tuple(kinds)))
    year = answers.optional("year", "the year in which it came out", "", _wrong_year)
    lines = [f"{id}:", f"  name: {yaml_scalar(name)}", f"  kind: {kind}"]
    return [*lines, *([f"  year: {year}"] if year else []), "  facts:"]


def _wrong_year(text: str) -> str:
    return "" if re.fullmatch(r"(?:19[7-9]|20\d)\d", text) else f"{text!r} is no year from 1970 on"


def _edit(
    file: FactFile, entity: str, name: str, fields: list[tuple[str, str]], made: list[str]
) -> TextEdit:
    """Return the edit that writes the fact after its entity's last one.

    With ``made``, the first lines of a new entity, it writes that entity after the last entity.
    """
    text = YamlText(file.source.text)
    inside = ("entities",) if made else ("entities", entity, "facts")
    column, end = text.block(inside)
    short = all(key != "qualifier" for key, _ in fields)
    if short:
        lines = [f"{name}: {{{', '.join(f'{k}: {v}' for k, v in fields)}}}"]
    else:
        lines = [f"{name}:", *(f"  {k}: {v}" for k, v in fields)]
    if made:
        lines = [*made, *(f"    {line}" for line in lines)]
    pad = " " * column
    gap = "\n\n" if made else "\n"
    return TextEdit(end, end, gap + "\n".join(f"{pad}{line}" for line in lines))
