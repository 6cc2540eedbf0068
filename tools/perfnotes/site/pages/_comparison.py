"""Tables that compare the entities of a family: each column in one unit.

A file of facts may name the columns for a kind of entity. Otherwise the columns are the facts that
at least half of the entities have.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from perfnotes.graph.address import fact_anchor
from perfnotes.graph.site import Site
from perfnotes.model.fact import Column, Entity, Fact, FactError, FactFile
from perfnotes.model.quantity.amount import exact, in_table, with_unit
from perfnotes.model.quantity.units import UnitError, base, factor, unit
from perfnotes.site.pages._facts import fact_value, own_name, significant_digits
from perfnotes.site.pages._lab_parts import table
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import string
from perfnotes.text.joining import joins

_FEWEST = 3  # entities of a kind; fewer get no table
_MOST = 8  # columns, if the file does not name them
_LONGEST = 14  # characters of a Chinese head; what is longer is a description and no name


def comparisons(site: Site, file: FactFile, ranks: dict[str, int], lang: str) -> list[str]:
    """Return a sortable table for each kind of entity of which the file has several."""
    by_kind: dict[str, list[Entity]] = {}
    for entity in file.entities.values():
        by_kind.setdefault(entity.kind, []).append(entity)
    groups = sorted(by_kind.values(), key=len, reverse=True)
    found = (_table(site, file, group, ranks, lang) for group in groups)
    return [html for html in found if html]


def _table(
    site: Site, file: FactFile, group: Sequence[Entity], ranks: dict[str, int], lang: str
) -> str:
    columns = file.columns.get(group[0].kind) or [*_columns(group)]
    if len(group) < _FEWEST or len(columns) < 2:
        return ""
    facts = [[_fact(entity, column) for column in columns] for entity in group]
    heads, cells = [string("entity", lang)], []
    for column, found in zip(columns, zip(*facts, strict=True), strict=True):
        shown = [fact for fact in found if fact]
        units = column.units or _common_unit(shown)
        heads.append(_head(column, shown, units, lang) if shown else escape(column.title[lang]))
        cells.append(
            [_cell(site, fact, units, ranks, lang) if fact else "<td></td>" for fact in found]
        )
    rows = [
        f'<tr class="pn-row"><th scope="row"><a href="#{entity.id}">{escape(entity.name[lang])}</a>'
        f"</th>{''.join(row)}</tr>"
        for entity, own, row in zip(group, facts, zip(*cells, strict=True), strict=True)
        if any(own)
    ]
    return table(heads, rows, file.title[lang], "pn-sortable pn-compare")


def _columns(group: Sequence[Entity]) -> Iterator[Column]:
    """Yield a column for each of the facts that at least half of the entities have, in order."""
    counts = Counter(name for entity in group for name in entity.facts)
    half = (len(group) + 1) // 2
    best = [name for name, n in counts.most_common() if n >= half][:_MOST]
    order = dict.fromkeys(name for entity in group for name in entity.facts)
    yield from (Column((name,)) for name in order if name in best)


def _fact(entity: Entity, column: Column) -> Fact | None:
    return next((entity.facts[name] for name in column.facts if name in entity.facts), None)


def _common_unit(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(name for name, _ in Counter(fact.unit for fact in facts).most_common(1))


def _head(column: Column, facts: Sequence[Fact], units: Sequence[str], lang: str) -> str:
    """Return the head of a column: its name and its unit.

    A count has no unit if the file of facts names the column: the name says what is counted.
    """
    title = column.title[lang] or facts[0].title[lang]
    [(what, n)] = Counter(fact.what[lang] for fact in facts).most_common(1)
    # What only a few facts say is a remark on these, and no name for the column.
    is_name = lang == "zh" and what and len(what) <= _LONGEST and 2 * n > len(facts)
    name = title or (what if is_name else own_name(facts[0], lang).removesuffix(" published"))
    unit_name = units[0] if not (title and _is_count(units[0])) else ""
    return escape(name) + (f" <small>{escape(unit_name)}</small>" if unit_name else "")


def _is_count(name: str) -> bool:
    of = unit(name)
    return of.dimensionless and factor(of, base(of)) == 1


def _cell(site: Site, fact: Fact, units: Sequence[str], ranks: dict[str, int], lang: str) -> str:
    """Return a cell. Its title has what the fact holds for, and the value before a conversion."""
    shown, is_converted = _converted(site, fact, units)
    says = [in_table(fact_value(site, fact))] if is_converted else []
    says += [fact.qualifier[lang]] if fact.qualifier[lang] else []
    title = f' title="{escape(joins(lang).semicolon.join(says))}"' if says else ""
    link = f'<a href="#{fact_anchor(fact.id)}"{title}>{escape(shown)}</a>'
    return f'<td data-sort="{ranks[fact.id]}">{link}</td>'


def _converted(site: Site, fact: Fact, units: Sequence[str]) -> tuple[str, bool]:
    """Return a value in the first unit into which it converts exactly.

    Returns also whether that unit is not the fact's own. The first unit stands in the head of the
    column. A value from a formula need not convert exactly, because it is rounded anyway.
    """
    try:
        value = site.library.facts.value(fact.id).median
    except FactError:
        return fact_value(site, fact), False
    for name in units:
        try:
            in_unit = value * factor(unit(fact.unit), unit(name))
        except UnitError:
            continue
        number = exact(in_unit, significant_digits(fact))
        if fact.formula or name == fact.unit or _is_number(number, in_unit):
            text = in_table(number)
            return text if name == units[0] else with_unit(text, name), name != fact.unit
    return in_table(fact_value(site, fact)), False


def _is_number(text: str, value: float) -> bool:
    """Return whether a text gives a value without rounding."""
    try:
        return math.isclose(float(text.replace(",", "")), value, rel_tol=1e-12)
    except ValueError:  # a power of ten
        return False
