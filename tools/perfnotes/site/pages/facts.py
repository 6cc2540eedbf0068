"""The facts: a page for each file of facts, called a family, and a page that lists the families."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from perfnotes.graph.address import fact_anchor, markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.model.fact import Entity, Fact, FactError, FactFile
from perfnotes.model.quantity.amount import in_table
from perfnotes.model.quantity.units import base, factor, unit
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._comparison import comparisons
from perfnotes.site.pages._facts import derivation, fact_value, own_name
from perfnotes.site.pages._lab_parts import table
from perfnotes.site.pages._parts import FILTER
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "facts_all": ("All facts", "全部常数"),
    "facts_compare": ("Compare", "比较"),
    "facts_compare_about": (
        "Each column is in one unit; a value that does not convert exactly keeps its own. A number "
        "leads to its fact, with the value as the source gives it and what it holds for. Where "
        "nothing stands, no such fact is recorded here. Click the head of a column to sort by it.",
        "每列用同一单位；不能精确换算的数值保留原单位。点数字可到该项常数，看出处给出的原值与限定条件。"
        "空格表示这里没有记录该项。点表头排序。",
    ),
    "facts_count": ("{n} facts", "{n} 项常数"),
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


_FILTER_FROM = 6  # entities; a family with so many has a filter


SHOWS = frozenset({"facts", "fact", "reference"})


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    none: frozenset[Name] = frozenset()
    if site.library.facts.by_id:
        url = SECTION.url(site, lang)
        yield PagePlan(url, none, partial(_index_shows, site), partial(_index, site, lang))
        for file in site.library.facts.files.values():
            url, make = site.addresses.facts(file.id, lang), partial(_family, site, file, lang)
            yield PagePlan(url, none, partial(_shows, site, file), make)


def _index_shows(site: Site) -> frozenset[Name]:
    files = site.library.facts.files
    return frozenset((("order", *files), *(("facts", id) for id in files)))


def _shows(site: Site, file: FactFile) -> frozenset[Name]:
    """Return what the page of a file shows. A fact that uses a changed one is among the changed."""
    facts = [fact for entity in file.entities.values() for fact in entity.facts.values()]
    ranks = site.derived(_ranks)
    return frozenset(
        {
            *(("facts", file.id), ("ranks", *(ranks[fact.id] for fact in facts))),
            *(("fact", fact.id) for fact in facts),
            *(("reference", key) for fact in facts for key in fact.keys),
        }
    )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    if site.library.facts.by_id:
        yield PageAddress(SECTION.url(site, lang), "", SECTION.title_in(lang))
        for file in site.library.facts.files.values():
            yield PageAddress(site.addresses.facts(file.id, lang), file.source.path)


def _index(site: Site, lang: str) -> Page:
    """Return the page that leads to the families.

    All facts once stood on this page. Their anchors are kept, beside the links to the new places.
    """
    url, title, lead = SECTION.url(site, lang), SECTION.title_in(lang), string("facts_lead", lang)
    parts, markdown = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    for file in site.library.facts.files.values():
        page = site.addresses.facts(file.id, lang)
        href = relative(url, page)
        name = f'<a href="{escape(href)}">{escape_staged(file.title[lang])}</a>'
        parts.append(f"## {name} {{#file--{_anchor(file.id)}}}\n")
        if file.description[lang]:
            parts.append(f"{escape_staged(file.description[lang])}\n")
        items = []
        for entity in file.entities.values():
            old = "".join(f'<span id="{fact_anchor(fact.id)}"></span>'
                          for fact in entity.facts.values())  # fmt: skip
            items.append(
                f'<li id="{entity.id}">{old}<a href="{escape(href)}#{entity.id}">'
                f"{escape(entity.name[lang])}</a></li>"
            )
        parts.append(block(['<ul class="pn-entities">', *items, "</ul>"]))
        n = string("facts_count", lang, n=sum(len(e.facts) for e in file.entities.values()))
        there = relative(url, markdown_file(page))
        markdown.append(f"- [{escape_markdown(file.title[lang])}]({there}){joins(lang).colon}{n}\n")
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="facts--top",
        description=lead,
        body="\n".join(parts),
        markdown="\n".join(markdown),
        kind="facts",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        styles=("lab",),
        scripts=("oldfact",),
    )


def _family(site: Site, file: FactFile, lang: str) -> Page:
    """Return the page of one file: tables that compare, and all facts of each entity."""
    url, title = site.addresses.facts(file.id, lang), file.title[lang]
    about = file.description[lang]
    parts = [f"{escape_staged(about)}\n"] if about else []
    compared = comparisons(site, file, site.derived(_ranks), lang)
    if len(file.entities) >= _FILTER_FROM:
        parts.append(block(FILTER))
    if compared:
        parts.append(f"## {string('facts_compare', lang)} {{#facts--compare}}\n")
        parts.append(f"{string('facts_compare_about', lang)}\n")
        parts += map(block, compared)
    parts.append(f"## {string('facts_all', lang)} {{#facts--all}}\n")
    parts.append(block("".join(_entity(site, e, url, lang) for e in file.entities.values())))
    parts.append(block(_edit(site, file, lang)))
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="facts--top",
        description=about or string("facts_lead", lang),
        body="\n".join(parts),
        markdown=f"# {escape_markdown(title)}\n{_markdown(site, file, lang)}",
        kind="facts",
        section=SECTION.name,
        alternates=site.alternates(lambda each: site.addresses.facts(file.id, each)),
        source=file.source.path,
        styles=("evidence", "lab"),
        scripts=("table", "filter"),
    )


def _edit(site: Site, file: FactFile, lang: str) -> str:
    """Return a link to edit the facts of one file."""
    name = f"facts/{file.source.path.rpartition('/')[2]}"
    address = site.repository.edit(f"{site.settings.notes}/{name}")
    words = f"{string('edit_facts', lang)}{joins(lang).colon}{name}"
    return f'<p><a href="{escape(address)}">{escape(words)}</a></p>' if address else ""


def _entity(site: Site, entity: Entity, url: str, lang: str) -> str:
    """Return all facts of an entity, folded: an address that leads to one of them opens it."""
    name = escape(entity.name[lang])
    year = f" <small>{entity.year}</small>" if entity.year else ""
    heads = [string(k, lang) for k in ("fact", "value", "qualifier", "source_of")]
    rows = [_row(site, fact, url, lang) for fact in entity.facts.values()]
    count = f'<span class="pn-count">{len(rows)}</span>'
    return (
        f'<details class="pn-entity pn-row" id="{entity.id}">'
        f"<summary>{name}{year} {count}</summary>"
        f"{table(heads, rows, entity.name[lang], 'pn-table pn-facts-table')}</details>\n"
    )


def _row(site: Site, fact: Fact, url: str, lang: str) -> str:
    anchor = fact_anchor(fact.id)
    what, name = fact.what[lang], escape(own_name(fact, lang))
    is_named = lang == "en" or fact.title.zh
    shown = name if is_named or not what else f"{escape(what)} <small>{name}</small>"
    if what and is_named:
        shown += f"<br><small>{escape(what)}</small>"
    cells = [
        f'<th scope="row"><a href="#{anchor}">{shown}</a></th>',
        f"<td>{escape(in_table(fact_value(site, fact)))}</td>",
        f"<td>{escape(fact.qualifier[lang])}</td>",
        f"<td>{derivation(site, fact, url, lang, lang)}</td>",
    ]
    return f'<tr id="{anchor}">{"".join(cells)}</tr>'


def _anchor(name: str) -> str:
    """Return a file's name as part of an HTML id. The name may hold any characters."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())


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
    """Return the base unit of a unit's dimension, and how many base units the unit is."""
    of = unit(name)
    return str(base(of)), factor(of, base(of))


def _markdown(site: Site, file: FactFile, lang: str) -> str:
    parts, signs = [], joins(lang)
    for entity in file.entities.values():
        parts.append(f"\n## {escape_markdown(entity.name[lang])}\n\n")
        for fact in entity.facts.values():
            what = signs.bracketed(fact.qualifier[lang]) if fact.qualifier[lang] else ""
            where = [fact.formula.text] if fact.formula else []
            where += [fact.source] if fact.source else []
            value = f"{fact_value(site, fact)}{what}"
            line = f"{fact.id}{signs.colon}{value}{signs.comma}{signs.semicolon.join(where)}"
            parts.append(f"- {escape_markdown(line)}\n")
    return "".join(parts)
