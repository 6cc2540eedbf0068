"""Tables that compare the entities of a family by the facts that most of them have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from perfnotes.graph.site import Site
from perfnotes.model.fact import Entity, FactFile
from perfnotes.site.pages._facts import fact_value, own_name
from perfnotes.site.pages._lab_parts import table
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import string

_FEWEST = 3  # entities of a kind that are worth a table
_MOST = 8  # columns
_LONGEST = 14  # characters of a Chinese head; a longer one says more than a head should


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
    columns = list(_columns(group))
    if len(group) < _FEWEST or len(columns) < 2:
        return ""
    heads = [string("entity", lang), *(_head(group, name, lang) for name in columns)]
    compared = (entity for entity in group if not entity.facts.keys().isdisjoint(columns))
    rows = [_row(site, entity, columns, ranks, lang) for entity in compared]
    return table(heads, rows, file.title[lang], "pn-sortable pn-compare")


def _columns(group: Sequence[Entity]) -> Iterator[str]:
    """Yield the names of the facts that at least half of the entities have, in their order."""
    counts = Counter(name for entity in group for name in entity.facts)
    half = (len(group) + 1) // 2
    best = [name for name, n in counts.most_common() if n >= half][:_MOST]
    order = dict.fromkeys(name for entity in group for name in entity.facts)
    yield from (name for name in order if name in best)


def _head(group: Sequence[Entity], name: str, lang: str) -> str:
    facts = [entity.facts[name] for entity in group if name in entity.facts]
    [(what, n)] = Counter(fact.what[lang] for fact in facts).most_common(1)
    # What only some facts say is a remark on them, and no name of the column.
    is_name = lang == "zh" and what and len(what) <= _LONGEST and 2 * n > len(facts)
    return escape(what if is_name else own_name(facts[0]).removesuffix(" published"))


def _row(
    site: Site, entity: Entity, columns: Sequence[str], ranks: dict[str, int], lang: str
) -> str:
    cells = []
    for name in columns:
        fact = entity.facts.get(name)
        if fact is None:
            cells.append("<td></td>")
            continue
        anchor, value = fact.id.replace("/", "--"), escape(fact_value(site, fact))
        cells.append(f'<td data-sort="{ranks[fact.id]}"><a href="#{anchor}">{value}</a></td>')
    name = f'<a href="#{entity.id}">{escape(entity.name[lang])}</a>'
    return f'<tr class="pn-row"><th scope="row">{name}</th>{"".join(cells)}</tr>'
