"""Renders calculators: their formulas and worked values, which need no script to be read.

The script ``calc.js`` adds the input fields. It reads them from ``data-calc``, which holds the same
inputs and formulas, with the factors that convert each unit to the unit of the formulas and back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from perfnotes.graph.calculators import placed_calculators
from perfnotes.graph.links import Links
from perfnotes.model.calculator import Calculator, CalculatorOutput, Case, Input
from perfnotes.model.library import Library
from perfnotes.model.quantity.amount import digits, exact, with_unit
from perfnotes.model.quantity.units import base, factor, unit
from perfnotes.site.render.edits import Edits
from perfnotes.site.render.markup import data_attribute, escape, escape_markdown
from perfnotes.site.strings import string

_NONE = "—"
_EXACT = 2**53  # a browser holds every smaller whole number exactly


def set_calculators(links: Links, library: Library, edits: Edits) -> None:
    """Replace each calculator's fence by its HTML; Markdown copies keep it, with a table below."""
    for each in placed_calculators(links, library):
        if each.calculator:
            fence, lang = each.fence, links.text.lang
            edits.add(fence.start, fence.end, f"\n{_html(each.calculator, lang)}\n", None)
            edits.add(fence.end, fence.end, None, f"\n\n{_markdown(each.calculator, lang)}")


def _html(made: Calculator, lang: str) -> str:
    inputs = "".join(
        f"<dt><var>{each.id}</var> {escape(each.what[lang])}</dt>"
        f"<dd>{_amount(each.value, each)}</dd>"
        for each in made.inputs
    )
    outputs = "".join(
        f"<dt>{escape(out.what[lang])}</dt>"
        f"<dd><code>{out.id} = {escape(out.formula.text)}</code></dd>"
        for out in made.outputs
    )
    data = data_attribute("calc", _data(made, lang))
    return (
        f'<div class="pn-calc" id="{made.anchor}" {data}>'
        f'<p class="pn-calc-title">{escape(made.title[lang])}</p>'
        f'<dl class="pn-calc-in">{inputs}</dl><dl class="pn-calc-out">{outputs}</dl>'
        f"{_table(made, lang)}</div>"
    )


def _table(made: Calculator, lang: str) -> str:
    """Return a table of the worked cases. The script makes a button of the head of each row."""
    heads = "".join(f'<th scope="col"><var>{name}</var></th>' for name in made.names)
    rows = []
    for case in made.cases:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in _cells(made, case, lang))
        rows.append(f'<tr><th scope="row">{escape(case.what[lang])}</th>{cells}</tr>')
    return (
        f'<div class="pn-scroll"><table class="pn-table">'
        f'<thead><tr><th scope="col">{string("worked_values", lang)}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _markdown(made: Calculator, lang: str) -> str:
    rows = [f"| {string('worked_values', lang)} | {' | '.join(f'`{n}`' for n in made.names)} |"]
    rows.append("|---" * (len(made.names) + 1) + "|")
    for case in made.cases:
        cells = [escape_markdown(cell) for cell in (case.what[lang], *_cells(made, case, lang))]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _cells(made: Calculator, case: Case, lang: str) -> Iterator[str]:
    for each in made.inputs:
        yield _amount(case.values.get(each.id, each.value), each)
    results = made.results(case.values)
    for out in made.outputs:
        yield _result(results[out.id], out, lang)


def _amount(value: float, of: Input) -> str:
    return with_unit(exact(value), of.unit)


def _result(value: float | None, of: CalculatorOutput, lang: str) -> str:
    if of.otherwise[lang] and (value is None or value <= 0):
        return of.otherwise[lang]
    return _NONE if value is None else with_unit(digits(value), of.unit)


def _data(made: Calculator, lang: str) -> dict[str, Any]:
    return {
        "inputs": [_input(each) for each in made.inputs],
        "outputs": [_output(out, lang) for out in made.outputs],
        "cases": [
            [_short(case.values.get(i.id, i.value)) for i in made.inputs] for case in made.cases
        ],
    }


def _short(value: float) -> float:
    """Return a whole number as an int, which JSON writes without ``.0``."""
    return int(value) if value == int(value) and abs(value) < _EXACT else value


def _input(each: Input) -> dict[str, Any]:
    bounds = {"least": each.least, "most": each.most}
    return {
        "id": each.id,
        "unit": each.unit,
        "value": _short(each.value),
        "factor": _short(factor(unit(each.unit), base(unit(each.unit)))),
    } | {name: _short(bound) for name, bound in bounds.items() if bound is not None}


def _output(out: CalculatorOutput, lang: str) -> dict[str, Any]:
    found = {
        "id": out.id,
        "unit": out.unit,
        "formula": out.formula.text,
        "factor": _short(factor(base(unit(out.unit)), unit(out.unit))),
    }
    return found | ({"otherwise": out.otherwise[lang]} if out.otherwise[lang] else {})
