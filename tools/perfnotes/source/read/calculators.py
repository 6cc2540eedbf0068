"""Reads ``<topic>/<slug>/calc.yml``: the calculators of a note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfnotes.model.bilingual import bilingual
from perfnotes.model.calculator import (
    FUNCTIONS,
    Calculator,
    CalculatorOutput,
    Case,
    Input,
    script_can_read,
)
from perfnotes.model.fact import FactError, Facts
from perfnotes.model.quantity.expression import ExpressionError, parse
from perfnotes.model.quantity.shown import ShownError
from perfnotes.model.quantity.shown import parse as parse_shown
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source

CODE = "PN908"


class _BadError(Exception):
    """An error in the file; ``path`` leads to its place."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


def read_calculators(
    file: Path, shown: str, note: str, facts: Facts
) -> tuple[dict[str, Calculator], list[Finding]]:
    """Return the calculators of ``note`` by id, without those that have errors, and findings."""
    document, source, findings = yamlfile.read_valid(file, shown, "calc", CODE)
    if document is None or source is None:
        return {}, findings
    calculators: dict[str, Calculator] = {}
    for id, data in document.value.items():
        try:
            calculators[id] = _calculator(id, note, data, source, document, facts)
        except _BadError as error:
            at = document.place((id, *error.path))
            findings.append(source.finding(at, CODE, f"{id}: {error}"))
    return calculators, findings


def _calculator(
    id: str,
    note: str,
    data: dict[str, Any],
    source: Source,
    document: yamlfile.YamlDocument,
    facts: Facts,
) -> Calculator:
    inputs = tuple(_input(key, each, facts) for key, each in data["inputs"].items())
    known = [each.id for each in inputs]
    outputs = []
    for key, each in data["outputs"].items():
        if key in known:
            raise _BadError(f"{key!r} appears twice", "outputs", key)
        outputs.append(_output(key, each, known))
        known.append(key)
    cases = tuple(
        _case(i, each, inputs, document.place((id, "cases", i)), facts)
        for i, each in enumerate(data["cases"])
    )
    place = document.place((id,))
    calculator = Calculator(
        id, note, bilingual(data["title"]), inputs, tuple(outputs), cases, source, place
    )
    _compute_cases(calculator)
    return calculator


def _unit(text: str, *path: str | int) -> str:
    """Return ``text`` if it is a unit; else raise ``_BadError``."""
    try:
        unit(text)
    except UnitError as error:
        raise _BadError(str(error), *path) from error
    return text


def _number(value: Any, of: str, facts: Facts, *path: str | int) -> float:
    """Return ``value``, or of a fact such as ``fact:entity/name`` its value in the unit ``of``."""
    if not isinstance(value, str):
        return float(value)
    id = value.removeprefix("fact:")
    if id not in facts.by_id:
        raise _BadError(f"no fact is called {id!r}", *path)
    try:
        return facts.value(id).to(unit(of)).median
    except (FactError, UnitError) as error:
        raise _BadError(f"{id}: {error}", *path) from error


def _input(key: str, data: dict[str, Any], facts: Facts) -> Input:
    of = _unit(data["unit"], "inputs", key, "unit")
    value = _number(data["value"], of, facts, "inputs", key, "value")
    made = Input(key, bilingual(data["what"]), of, value, data.get("least"), data.get("most"))
    _check_bounds(value, made, "inputs", key, "value")
    return made


def _check_bounds(value: float, of: Input, *path: str | int) -> None:
    low = of.least is not None and value < of.least
    if low or (of.most is not None and value > of.most):
        low_end, high_end = ("none" if end is None else f"{end:g}" for end in (of.least, of.most))
        bounds = f"least {low_end}, most {high_end}"
        raise _BadError(f"{of.id} = {value:g} lies outside of its bounds ({bounds})", *path)


def _output(key: str, data: dict[str, Any], known: list[str]) -> CalculatorOutput:
    path = ("outputs", key, "formula")
    text = str(data["formula"])
    try:
        formula = parse(text)
    except ExpressionError as error:
        raise _BadError(error.message, *path) from error
    if not script_can_read(text):
        raise _BadError("numbers are decimal, such as 1000, 0.5 or 2e9", *path)
    if wrong := [name for name in formula.names if name not in known]:
        raise _BadError(f"{wrong[0]!r} is no input and no output above", *path)
    if wrong := [name for name in formula.calls if name not in FUNCTIONS]:
        has = ", ".join(FUNCTIONS)
        raise _BadError(f"{wrong[0]}() is for samples; a calculator has {has}", *path)
    of = _unit(data["unit"], "outputs", key, "unit")
    return CalculatorOutput(
        key, bilingual(data["what"]), of, formula, bilingual(data.get("otherwise", ""))
    )


def _case(
    i: int, data: dict[str, Any], inputs: tuple[Input, ...], place: int, facts: Facts
) -> Case:
    by_id = {each.id: each for each in inputs}
    values = {}
    for key, value in data["values"].items():
        if key not in by_id:
            raise _BadError(f"{key!r} is no input", "cases", i, "values", key)
        path = ("cases", i, "values", key)
        values[key] = _number(value, by_id[key].unit, facts, *path)
        _check_bounds(values[key], by_id[key], *path)
    return Case(bilingual(data["what"]), values, data.get("gives", {}), place)


def _compute_cases(calculator: Calculator) -> None:
    """Compute all cases, and one with the usual inputs.

    Raises ``_BadError`` if the units do not fit, or if a result is not the one that the case's
    source gives.
    """
    units = {out.id: out.unit for out in calculator.outputs}
    for i, case in enumerate((Case(calculator.title, {}, {}), *calculator.cases), start=-1):
        try:
            results = calculator.results(case.values)
        except ExpressionError as error:
            raise _BadError(error.message, "outputs") from error
        for key, text in case.gives.items():
            path = ("cases", i, "gives", key)
            if key not in units:
                raise _BadError(f"{key!r} is no output", *path)
            value = results[key]
            try:
                if value is None or not parse_shown(text).agrees(value, units[key]):
                    raise _BadError(f"the source gives {text}, the formula {value}", *path)
            except ShownError as error:
                raise _BadError(str(error), *path) from error
