"""The page of all facts: a sortable table for each file, with the source or formula of a fact."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from perfnotes.graph.site import Site
from perfnotes.model.fact import Entity, Fact, FactError, FactFile
from perfnotes.model.quantity.units import factor, unit
from perfnotes.site.page import Page, block
from perfnotes.site.pages._facts import derivation, fact_value, own_name
from perfnotes.site.pages._lab_parts import table
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, markdown_words, words
from perfnotes.site.strings import add_words, string

WORDS = {
    "edit_facts": ("Edit these facts", "编辑这些常数"),
    "facts_lead": (
        "Constants of hardware and programs that the notes build on, each with the place in its "
        "source or the formula that gives it.",
        "笔记所依据的硬件与程序常数，每一项都注明出处的具体位置或计算公式。",
    ),
}
add_words(WORDS)

SECTION = Section(
    "facts",
    ("Facts", "常数"),
    exists=lambda site: bool(site.library.facts.by_id),
    place=40,
    llms=10,
    lead="facts_lead",
    names=(
        ("constants", "hardware constants", "facts and constants"),
        ("硬件常数", "常数表", "事实"),
    ),
)


def pages(site: Site, lang: str) -> Iterator[Page]:
    facts = site.library.facts
    if not facts.by_id:
        return
    url = SECTION.url(site, lang)
    title, lead = SECTION.title_in(lang), string("facts_lead", lang)
    ranks = _ranks(site)
    parts, twin = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    for file in facts.files.values():
        heading = f"## {words(file.title[lang])} {{#file--{_anchor(file.id)}}}\n"
        about = f"\n{words(file.description[lang])}\n" if file.description[lang] else ""
        rows = [
            _row(site, entity, fact, ranks, url, lang, first=i == 0)
            for entity in file.entities.values()
            for i, fact in enumerate(entity.facts.values())
        ]
        heads = [string(k, lang) for k in ("entity", "fact", "value", "qualifier", "source_of")]
        html = table(heads, rows, file.title[lang], "pn-sortable pn-facts-table")
        parts.append(heading + about + block(html) + block(_edit(site, file, lang)))
        twin.append(_twin(site, file, lang))
    yield Page(
        url=url,
        lang=lang,
        title=title,
        title_id="facts--top",
        description=lead,
        body="\n".join(parts),
        twin="\n".join(twin),
        kind="facts",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        styles=("evidence", "lab"),
        scripts=("table",),
    )


def _edit(site: Site, file: FactFile, lang: str) -> str:
    """Return a link to edit the facts of one file."""
    name = f"facts/{file.source.path.rpartition('/')[2]}"
    address = site.repository.edit(f"{site.settings.notes}/{name}")
    words = f"{string('edit_facts', lang)}: {name}"
    return f'<p><a href="{escape(address)}">{escape(words)}</a></p>' if address else ""


def _anchor(name: str) -> str:
    """Return a file's name as part of an HTML id. The name may come from a stranger."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())


def _row(
    site: Site,
    entity: Entity,
    fact: Fact,
    ranks: dict[str, int],
    url: str,
    lang: str,
    *,
    first: bool,
) -> str:
    anchor = f' id="{entity.id}"' if first else ""
    year = f" <small>{entity.year}</small>" if entity.year and first else ""
    what = fact.what[lang]
    name = escape(own_name(fact))
    shown = f"{escape(what)} <small>{name}</small>" if what and lang == "zh" else name
    if what and lang == "en":
        shown += f"<br><small>{escape(what)}</small>"
    cells = [
        f'<th scope="row"{anchor}>{escape(entity.name[lang])}{year}</th>',
        f'<td><a href="#{entity.id}--{fact.name}">{shown}</a></td>',
        f'<td data-sort="{ranks[fact.id]}">{escape(fact_value(site, fact))}</td>',
        f"<td>{escape(fact.qualifier[lang])}</td>",
        f"<td>{derivation(site, fact, url, lang, lang)}</td>",
    ]
    return f'<tr id="{entity.id}--{fact.name}">{"".join(cells)}</tr>'


def _ranks(site: Site) -> dict[str, int]:
    """Return each fact's rank for sorting: by physical dimension, then by size in base units."""
    facts = site.library.facts
    keys: dict[str, tuple[str, float]] = {}
    for id, fact in facts.by_id.items():
        dimension, by = _base(fact.unit)
        try:
            keys[id] = (dimension, facts.value(id).median * by)
        except FactError:
            keys[id] = (dimension, 0.0)
    return {id: rank for rank, id in enumerate(sorted(keys, key=lambda id: (keys[id], id)))}


@cache
def _base(name: str) -> tuple[str, float]:
    """Return the dimension of a unit, and how many base units it is."""
    of = unit(name)
    base = unit("") if of.dimensionless else (1 * of).to_base_units().units
    return str(of.dimensionality), factor(of, base)


def _twin(site: Site, file: FactFile, lang: str) -> str:
    parts = [f"\n## {markdown_words(file.title[lang])}\n"]
    for entity in file.entities.values():
        parts.append(f"\n### {markdown_words(entity.name[lang])}\n\n")
        for fact in entity.facts.values():
            what = f" ({fact.qualifier[lang]})" if fact.qualifier[lang] else ""
            where = [fact.formula.text] if fact.formula else []
            where += [fact.source] if fact.source else []
            line = f"{fact.id}: {fact_value(site, fact)}{what}, {'; '.join(where)}"
            parts.append(f"- {markdown_words(line)}\n")
    return "".join(parts)
