"""The page of a reference: what it is, where to read it, what cites it, and related references."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from perfnotes.graph.address import markdown_file, relative, to_place
from perfnotes.graph.links import Edge
from perfnotes.graph.site import Site
from perfnotes.model.reference import Reference
from perfnotes.model.tool import Tool
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._facts import fact_name, fact_value, locators
from perfnotes.site.pages._parts import count, note_link
from perfnotes.site.pages._related_papers import RelatedPapers, section_of_related_papers
from perfnotes.site.pages._shown import shown_by
from perfnotes.site.pages.references import type_name
from perfnotes.site.render.body import NOTHING, body_renderer
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown, fenced
from perfnotes.site.strings import add_words, string
from perfnotes.source.bib.citestyle import full_text, links
from perfnotes.text.joining import joins

WORDS = {
    "annotation": ("Our note", "简注"),
    "bibtex": ("BibTeX", "BibTeX"),
    "citation": ("How to cite it", "引用格式"),
    "cited_by": ("What notes take from it", "笔记从中引用了什么"),
    "facts_from": ("Facts from it", "出自它的常数"),
    "not_cited": ("No note cites it yet.", "暂无笔记引用。"),
}
add_words(WORDS)


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    related = site.derived(RelatedPapers)
    for reference in site.library.references.values():
        yield PagePlan(
            site.addresses.reference(reference.key, lang),
            frozenset({("quotes", reference.key)}),
            partial(_shown, site, reference.key),
            partial(_page, related, reference, lang),
        )


def _shown(site: Site, key: str) -> frozenset[Name]:
    return site.derived(_shown_by_key)[key]


def _shown_by_key(site: Site) -> dict[str, frozenset[Name]]:
    """Return what the page of each reference shows, by key. It is the same in every language."""
    related = site.derived(RelatedPapers)
    return {key: _shows(related, each) for key, each in site.library.references.items()}


def _shows(related: RelatedPapers, reference: Reference) -> frozenset[Name]:
    """Return what the page of a reference shows beyond texts."""
    site, key = related.site, reference.key
    beside = related.shown(reference)
    edges = site.graph.cited_by.get(key, [])
    tools = tuple(tool.id for tool in site.derived(_tools_citing).get(key, ()))
    annotation = site.library.annotations.get(key)
    links = site.graph.links[f"notes/{annotation.file}"] if annotation else None
    return frozenset(
        {
            *(("reference", each) for each in {key, *sum(beside, ())}),
            *(("note", edge.source) for edge in edges),
            *(("headings", edge.source) for edge in edges),
            *(("fact", fact.id) for fact in site.facts_by_key.get(key, ())),
            ("facts", *(fact.id for fact in site.facts_by_key.get(key, ()))),
            *(("beside", beside), ("tools", tools)),
            ("in symptoms", key in site.library.symptom_index.cited),
            ("edit", _edit(site, reference)),
            *(shown_by(site, links) if links else ()),
        }
    )


def _edit(site: Site, reference: Reference) -> str:
    return site.edit_table("references", "references.bib", reference.offset)


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    shown = site.library.shown("references.bib")
    for key in site.library.references:
        yield PageAddress(site.addresses.reference(key, lang), shown)


def _page(related: RelatedPapers, reference: Reference, lang: str) -> Page:
    site = related.site
    url = site.addresses.reference(reference.key, lang)
    title = reference.title or reference.key
    annotation = site.library.annotations.get(reference.key)
    parts = [block(_head(related, reference, url, lang))]
    markdown = [f"# {escape_markdown(title)}\n", escape_markdown(full_text(reference)) + "\n"]
    markdown += [f"- <{address}>\n" for _, address in links(reference)]
    rendered = NOTHING
    if annotation:
        rendered = body_renderer(site, "en").render(
            site.graph.links[f"notes/{annotation.file}"], url
        )
        parts.append(f"## {string('annotation', lang)} {{#pn-annotation}}\n\n{rendered.staged}")
        markdown.append(f"\n## {string('annotation', lang)}\n\n{rendered.markdown}")
    parts.append(_cited_by(site, reference, url, lang))
    markdown.append(_cited_by_markdown(site, reference, url, lang))
    parts.append(_facts_from(site, reference, url, lang))
    markdown.append(_facts_from_markdown(site, reference, url, lang))
    parts.append(_citation(reference, lang))
    parts.append(section_of_related_papers(related, reference, url, lang))
    markdown.append("\n" + fenced(reference.bibtex.rstrip(), "bibtex"))
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="reference",
        description=full_text(reference)[:200],
        body="\n".join(parts),
        markdown="\n".join(markdown),
        kind="reference",
        section="references",
        alternates=site.alternates(lambda other: site.addresses.reference(reference.key, other)),
        edit=_edit(site, reference),
        source=site.library.shown("references.bib"),
        files=rendered.files,
        findings=rendered.findings,
        styles=("papers",),
        scripts=("cite",),
    )


def _head(related: RelatedPapers, reference: Reference, url: str, lang: str) -> str:
    """Return the head of the page: authors, venue, year, type, links, numbers of uses."""
    site = related.site
    people = reference.authors or reference.editors
    parts = []
    if people:
        names = joins(lang).item.join(p.name for p in people)
        names += (" 等" if lang == "zh" else " et al.") if reference.others else ""
        parts.append(f'<p class="pn-people">{escape(names)}</p>')
    details = [escape(x) for x in (reference.venue, reference.year) if x]
    details.append(type_name(reference, lang))
    topics = [site.library.topics[k] for k in reference.keywords if k in site.library.topics]
    details += [
        f'<a href="{escape(relative(url, site.addresses.topic(t.id, lang)))}">'
        f"{escape(t.title[lang])}</a>"
        for t in topics
    ]
    parts.append(f'<p class="pn-facts">{" · ".join(details)}</p>')
    # Addresses are shown in full, so that they can be read, copied and printed.
    addresses = "".join(
        f"<dt>{escape(name)}</dt>"
        f'<dd><a rel="external" href="{escape(address)}">{escape(address)}</a></dd>'
        for name, address in links(reference)
    )
    if addresses:
        parts.append(f'<dl class="pn-facts-list">{addresses}</dl>')
    notes = len({e.source for e in site.graph.cited_by.get(reference.key, [])})
    facts = len(site.facts_by_key.get(reference.key, ()))
    uses = []
    if notes:
        uses.append(f'<a href="#pn-cited-by">{count("cited_by", notes, lang)}</a>')
    if facts:
        uses.append(f'<a href="#pn-facts">{count("facts", facts, lang)}</a>')
    if uses:
        parts.append(f'<p class="pn-facts">{" · ".join(uses)}</p>')
    return f'<div class="pn-paper">{"".join(parts)}</div>'


def _edges_by_note(site: Site, reference: Reference, lang: str) -> dict[str, list[Edge]]:
    """Return the citations of a reference by the citing note, in the order of the notes' titles."""
    edges = site.graph.edges_in(site.graph.cited_by.get(reference.key, []), lang)
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(edge.source, []).append(edge)
    order = sorted(groups, key=lambda id: (site.title(site.library.notes[id], lang).casefold(), id))
    return {id: groups[id] for id in order}


def _cited_by(site: Site, reference: Reference, url: str, lang: str) -> str:
    heading = f"## {string('cited_by', lang)} {{#pn-cited-by}}\n"
    groups = _edges_by_note(site, reference, lang)
    symptoms = _symptoms_address(site, reference, lang)
    tools = site.derived(_tools_citing).get(reference.key, [])
    if not groups and not symptoms and not tools:
        if reference.key in site.facts_by_key:
            return ""
        return f"{heading}\n{string('not_cited', lang)}\n"
    items = [
        f"<li>{note_link(site, url, site.library.notes[id], lang)}"
        f"{''.join(_quotation(site, edge, url, lang) for edge in edges)}</li>"
        for id, edges in groups.items()
    ]
    if symptoms:
        href = escape(relative(url, symptoms))
        items.append(f'<li><a href="{href}">{string("first_title", lang)}</a></li>')
    for tool in tools:
        href = escape(relative(url, site.addresses.tool(tool.id, lang)))
        items.append(f'<li><a href="{href}"><code>{escape(tool.name)}</code></a></li>')
    return heading + block(['<ul class="pn-backlinks">', *items, "</ul>"])


def _quotation(site: Site, edge: Edge, url: str, lang: str) -> str:
    """Return a citing sentence with a link to the section in which it stands."""
    if not edge.sentence:
        return ""
    note = site.library.notes[edge.source]
    twin = site.library.translations.get(note.id) if edge.lang != note.lang else None
    text = twin or note
    section = text.body.section_at(edge.offset)
    where = ""
    if section:
        href = escape(to_place(url, f"{text.url}#{section.id}"))
        where = f' <a class="pn-count" href="{href}">{escape(section.title)}</a>'
    own = lang_attribute(edge.sentence, lang)
    return f'<blockquote class="pn-quote"{own}>{escape(edge.sentence)}{where}</blockquote>'


def _tools_citing(site: Site) -> dict[str, list[Tool]]:
    """Return by reference key the tools that cite it."""
    found: dict[str, list[Tool]] = {}
    for tool in site.library.tools.by_id.values():
        for key in tool.cited:
            found.setdefault(key, []).append(tool)
    return found


def _symptoms_address(site: Site, reference: Reference, lang: str) -> str:
    """Return the page of symptoms if its commands cite the reference, else an empty string."""
    cited = reference.key in site.library.symptom_index.cited
    return site.addresses.section("symptoms", lang) if cited else ""


def _facts_from(site: Site, reference: Reference, url: str, lang: str) -> str:
    """Return a section with the facts that the reference gives, each with its place in it."""
    facts = site.facts_by_key.get(reference.key, [])
    if not facts:
        return ""
    signs = joins(lang)
    items = [
        f'<li><a href="{escape(to_place(url, site.addresses.fact(fact.id, lang)))}">'
        f"{fact_name(site, fact, lang)}</a>{signs.colon}{escape(fact_value(site, fact))}"
        f' <span class="pn-count">{escape(locators(fact, reference.key, lang))}</span></li>'
        for fact in facts
    ]
    heading = f"## {string('facts_from', lang)} {{#pn-facts}}\n"
    return heading + block(['<ul class="pn-from">', *items, "</ul>"])


def _facts_from_markdown(site: Site, reference: Reference, url: str, lang: str) -> str:
    facts = site.facts_by_key.get(reference.key, [])
    rows = [f"\n## {string('facts_from', lang)}\n\n"] if facts else []
    signs = joins(lang)
    for fact in facts:
        href = to_place(url, site.addresses.fact(fact.id, lang), markdown=True)
        where = escape_markdown(locators(fact, reference.key, lang))
        value = f"{fact_value(site, fact)}{signs.comma}{where}"
        rows.append(f"- [{escape_markdown(fact.id)}]({href}){signs.colon}{value}\n")
    return "".join(rows)


def _cited_by_markdown(site: Site, reference: Reference, url: str, lang: str) -> str:
    groups = _edges_by_note(site, reference, lang)
    symptoms = _symptoms_address(site, reference, lang)
    tools = site.derived(_tools_citing).get(reference.key, [])
    if not groups and not symptoms and not tools:
        return ""
    rows = [f"\n## {string('cited_by', lang)}\n\n"]
    if symptoms:
        href = relative(url, markdown_file(symptoms))
        rows.append(f"- [{string('first_title', lang)}]({href})\n")
    for id, edges in groups.items():
        note = site.library.notes[id]
        href = relative(url, markdown_file(site.addresses.note(note, lang)))
        rows.append(f"- [{escape_markdown(site.title(note, lang))}]({href})\n")
        rows += [f"    > {escape_markdown(e.sentence)}\n" for e in edges if e.sentence]
    for tool in tools:
        href = relative(url, markdown_file(site.addresses.tool(tool.id, lang)))
        rows.append(f"- [`{tool.name}`]({href})\n")
    return "".join(rows)


def _citation(reference: Reference, lang: str) -> str:
    """Return the reference in words and in BibTeX. A script adds buttons that copy them."""
    text = full_text(reference)
    own = lang_attribute(text, lang)
    words = block(f'<p class="pn-cite-as"{own}>{escape(text)}</p>')
    return (
        f"## {string('citation', lang)} {{#pn-citation}}\n{words}"
        f"### {string('bibtex', lang)} {{#pn-bibtex}}\n\n"
        f"{fenced(reference.bibtex.rstrip(), 'bibtex')}"
    )
