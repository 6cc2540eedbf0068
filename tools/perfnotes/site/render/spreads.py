"""Draws the samples of lab values: on the lab's page by machine, on a card those of one number."""

from __future__ import annotations

import math
from collections.abc import Iterable

from perfnotes.graph.binding import Found
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.origin import SINGLE, Origin
from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim, Lab, Value
from perfnotes.model.quantity.amount import amount, scale_of, span
from perfnotes.model.quantity.expression import ExpressionError
from perfnotes.model.quantity.units import UnitError, factor, unit
from perfnotes.model.quantity.vector import Spread, spread
from perfnotes.model.result import Result
from perfnotes.model.verdict import Verdict, lookup_of
from perfnotes.plots.dots import Track, tracks
from perfnotes.plots.shapes import WIDTH, Drawing
from perfnotes.site.render.plots import svg
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "plot": ("Samples of {what}, by machine", "{what}：各机器的样本"),
}
add_words(WORDS)

_MOST_PARTS = 4  # rows of a card


def by_machine(
    site: Site, lab: Lab, value: Value, found: Iterable[tuple[Result, Verdict]], lang: str
) -> str:
    """Return a drawing of all samples of a claim or value as HTML, a row for each machine.

    Empty if there are no samples, if one is not finite, or if the samples of a value that is no
    claim are all equal.
    """
    drawn = site.derived(_drawings)
    key = lab.id, value.id
    if key not in drawn:
        drawn[key] = _by_machine(lab, value, found)
    made = drawn[key]
    if made is None:
        return ""
    drawing, spreads = made
    signs = joins(lang)
    medians = [
        f"{machine}{signs.colon}{string('median', lang)} {amount(s.median, value.unit)}"
        f"{signs.comma}{string('quartiles', lang)} {span(s.low, s.high, value.unit)}"
        for machine, s in spreads
    ]
    title = string("plot", lang, what=value.what[lang].replace("`", ""))
    description = signs.semicolon.join(medians)
    return (
        f'<figure class="pn-chart">{svg(f"plot--{value.id}", title, description, drawing)}</figure>'
    )


_Drawn = tuple[Drawing, tuple[tuple[str, Spread], ...]]


def _drawings(site: Site) -> dict[tuple[str, str], _Drawn | None]:
    """Return a store for drawings, by lab and claim or value. Both languages have the same ones."""
    del site
    return {}


def _by_machine(lab: Lab, value: Value, found: Iterable[tuple[Result, Verdict]]) -> _Drawn | None:
    rows: list[Track] = []
    expected: tuple[float, float] | None = None
    for result, verdict in found:
        if verdict.spread is None:
            continue
        samples = _samples(lab, value, result)
        if not samples or not all(map(math.isfinite, samples)):
            return None
        control = verdict.control.median if verdict.control else None
        if control is not None and not math.isfinite(control):
            control = None
        rows.append(Track(result.machine.id, samples, verdict.spread, control))
        if isinstance(value, Claim) and expected is None:
            expected = _expected(lab, value, result)
    seen = {sample for row in rows for sample in row.samples}
    if not rows or (not isinstance(value, Claim) and len(seen) < 2):
        return None
    drawing = tracks(rows, *_scale(rows, value.unit), expected)
    return drawing, tuple((row.label, row.spread) for row in rows)


def on_card(evidence: Evidence, found: Found) -> str:
    """Return the spread of a measured number as dots, in HTML; empty if it has none.

    If the number was made from statistics, such as a ratio of two medians, there is a row for the
    samples of each. The drawing is hidden from screen readers: words beside it say the same.
    """
    made = _on_card(evidence, found)
    if made is None:
        return ""
    drawing, kind = made
    height = round(drawing.height)
    return (
        f'<svg class="pn-c pn-dots{kind}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" aria-hidden="true">{drawing.shapes}</svg>'
    )


def _on_card(evidence: Evidence, found: Found) -> tuple[Drawing, str] | None:
    """Return the drawing, and a class from which a script knows what a dot and the line are.

    The class is empty if the dots are measurements and the line is their median.
    """
    lab, value, verdict = found.lab, found.value, found.verdict
    if found.stat == "n":  # how many samples there are is no place on their axis
        return None
    made_from = evidence.origin(found)
    if not (made_from and lab and value and verdict and verdict.spread):
        return None
    result = evidence.library.results[lab.id][found.machine]
    if verdict.spread.n > 1:
        samples = _samples(lab, value, result)
        if len(set(samples)) < 2 or not all(map(math.isfinite, samples)):
            return None
        rows = [Track("", samples, verdict.spread, mark=found.number)]
        kind = "" if made_from.form == SINGLE and not found.stat else " pn-dots-made"
        return tracks(rows, *_scale(rows, value.unit), small=True), kind
    parts = made_from.parts
    if not 0 < len(parts) <= _MOST_PARTS or any(part.samples is None for part in parts):
        return None
    drawing = _of_parts(made_from)
    kind = " pn-dots-mean" if made_from.statistic == "mean" else ""
    return (drawing, kind) if drawing else None


def _of_parts(made_from: Origin) -> Drawing | None:
    """Return a row for the samples of each part; None if their units differ in kind."""
    rows = []
    parts = made_from.parts
    assert parts[0].samples
    axis_unit = parts[0].samples.unit
    for part, label in zip(parts, made_from.names, strict=True):
        assert part.samples
        try:
            vector = part.samples.vector.to(unit(axis_unit))
        except UnitError:
            return None
        around = spread(vector)
        mark = part.middle * factor(unit(part.samples.unit), unit(axis_unit))
        rows.append(Track(label if len(parts) > 1 else "", vector.samples, around, mark=mark))
    return tracks(rows, *_scale(rows, axis_unit), small=True)


def _scale(rows: list[Track], samples_unit: str) -> tuple[float, str]:
    """Return the factor and the unit in which the axis is labelled."""
    return scale_of(max((row.spread.max for row in rows), key=abs), samples_unit)


def _samples(lab: Lab, value: Value, result: Result) -> tuple[float, ...]:
    try:
        return value.expression.evaluate(lookup_of(lab, result)).to(unit(value.unit)).samples
    except (ExpressionError, UnitError):
        return ()


def _expected(lab: Lab, claim: Claim, result: Result) -> tuple[float, float] | None:
    try:
        return claim.expect.range(unit(claim.unit), lookup_of(lab, result))
    except (ExpressionError, UnitError):
        return None
