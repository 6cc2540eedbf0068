"""The page of a reference: what it is, where to read it, and every note that cites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from perfnotes.address import markdown_file, relative, to_place
from perfnotes.bib.citestyle import full_text, label, links
from perfnotes.link.graph import Edge
from perfnotes.page import Page, block
from perfnotes.pages._facts import fact_name, fact_value, locators
from perfnotes.pages._parts import quote_list
from perfnotes.reference import Reference
from perfnotes.render.body import NOTHING
from perfnotes.render.markup import escape, markdown_words
from perfnotes.site import Site
from perfnotes.strings import string

_MOST_TOGETHER = 8


def pages(site: Site, lang: str) -> Iterator[Page]:
    for reference in site.library.references.values():
        yield _page(site, reference, lang)


def _page(site: Site, reference: Reference, lang: str) -> Page:
    url = site.addresses.reference(reference.key, lang)
    title = reference.title or reference.key
    annotation = site.library.annotations.get(reference.key)
    parts = [block(_facts(reference, lang))]
    twin = [f"# {markdown_words(title)}\n", markdown_words(full_text(reference)) + "\n"]
    twin += [f"- <{address}>\n" for _, address in links(reference)]
    rendered = NOTHING
    if annotation:
        rendered = site.renderers["en"].render(site.graph.links[f"notes/{annotation.file}"], url)
        parts.append(f"## {string('annotation', lang)} {{#pn-annotation}}\n\n{rendered.staged}")
        twin.append(f"\n## {string('annotation', lang)}\n\n{rendered.twin}")
    parts.append(_cited_by(site, reference, url, lang))
    twin.append(_cited_by_twin(site, reference, url, lang))
    parts.append(_facts_from(site, reference, url, lang))
    twin.append(_facts_from_twin(site, reference, url, lang))
    parts.append(_together(site, reference, url, lang))
    parts.append(_bibtex(reference, lang))
    twin.append(f"\n```bibtex\n{reference.bibtex.rstrip()}\n```\n")
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="reference",
        description=full_text(reference)[:200],
        body="\n".join(parts),
        twin="\n".join(twin),
        kind="reference",
        section="references",
        alternates=site.both(lambda other: site.addresses.reference(reference.key, other)),
        source=site.library.shown("references.bib"),
        files=rendered.files,
        findings=rendered.findings,
    )


def _facts(reference: Reference, lang: str) -> str:
    people = reference.authors or reference.editors
    rows = []
    if people:
        names = ", ".join(p.name for p in people)
        names += (" 等" if lang == "zh" else " et al.") if reference.others else ""
        rows.append((string("authors", lang), escape(names)))
    if reference.year:
        rows.append((string("year", lang), escape(reference.year)))
    rows.append((string("publication", lang), escape(full_text(reference))))
    addresses = "<br>".join(
        f'{escape(name)}: <a rel="external" href="{escape(address)}">{escape(address)}</a>'
        for name, address in links(reference)
    )
    if addresses:
        rows.append((string("links", lang), addresses))
    items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
    return f'<dl class="pn-facts-list">{items}</dl>'


def _groups(site: Site, reference: Reference, lang: str) -> dict[str, list[Edge]]:
    edges = site.graph.edges_in(site.graph.cited_by.get(reference.key, []), lang)
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(edge.source, []).append(edge)
    order = sorted(groups, key=lambda id: (site.title(site.library.notes[id], lang).casefold(), id))
    return {id: groups[id] for id in order}


def _cited_by(site: Site, reference: Reference, url: str, lang: str) -> str:
    heading = f"## {string('cited_by', lang)} {{#pn-cited-by}}\n"
    groups = _groups(site, reference, lang)
    if not groups:
        if reference.key in site.facts_by_key:
            return ""
        return f"{heading}\n{string('not_cited', lang)}\n"
    items = [
        f"<li>{site.note_link(url, site.library.notes[id], lang)}"
        f"{quote_list(e.sentence for e in edges)}</li>"
        for id, edges in groups.items()
    ]
    return heading + block(['<ul class="pn-backlinks">', *items, "</ul>"])


def _facts_from(site: Site, reference: Reference, url: str, lang: str) -> str:
    """The facts that it is the source of, each with its place in it."""
    facts = site.facts_by_key.get(reference.key, [])
    if not facts:
        return ""
    items = [
        f'<li><a href="{escape(to_place(url, site.addresses.fact(fact.id, lang)))}">'
        f"{fact_name(site, fact, lang)}</a>: {escape(fact_value(site, fact))}"
        f' <span class="pn-count">{escape(locators(fact, reference.key))}</span></li>'
        for fact in facts
    ]
    heading = f"## {string('facts_from', lang)} {{#pn-facts}}\n"
    return heading + block(['<ul class="pn-from">', *items, "</ul>"])


def _facts_from_twin(site: Site, reference: Reference, url: str, lang: str) -> str:
    facts = site.facts_by_key.get(reference.key, [])
    rows = [f"\n## {string('facts_from', lang)}\n\n"] if facts else []
    for fact in facts:
        href = to_place(url, site.addresses.fact(fact.id, lang), twin=True)
        where = markdown_words(locators(fact, reference.key))
        rows.append(f"- [{markdown_words(fact.id)}]({href}): {fact_value(site, fact)}, {where}\n")
    return "".join(rows)


def _cited_by_twin(site: Site, reference: Reference, url: str, lang: str) -> str:
    groups = _groups(site, reference, lang)
    if not groups:
        return ""
    rows = [f"\n## {string('cited_by', lang)}\n\n"]
    for id, edges in groups.items():
        note = site.library.notes[id]
        href = relative(url, markdown_file(site.addresses.note(note, lang)))
        rows.append(f"- [{markdown_words(site.title(note, lang))}]({href})\n")
        rows += [f"    > {markdown_words(e.sentence)}\n" for e in edges]
    return "".join(rows)


def _together(site: Site, reference: Reference, url: str, lang: str) -> str:
    counts: Counter[str] = Counter()
    for id in {e.source for e in site.graph.cited_by.get(reference.key, [])}:
        counts.update(k for k in site.graph.cites[id] if k != reference.key)
    if not counts:
        return ""
    best = sorted(counts, key=lambda k: (-counts[k], k))[:_MOST_TOGETHER]
    items = []
    for key in best:
        other = site.library.references[key]
        href = escape(relative(url, site.addresses.reference(key, lang)))
        name = f"{label(other, lang)}: {other.title}" if other.title else label(other, lang)
        items.append(
            f'<li><a href="{href}">{escape(name)}</a> '
            f'<span class="pn-count">{counts[key]}</span></li>'
        )
    heading = f"## {string('cited_together', lang)} {{#pn-together}}\n"
    return heading + block(["<ul>", *items, "</ul>"])


def _bibtex(reference: Reference, lang: str) -> str:
    fence = "```"
    while fence in reference.bibtex:
        fence += "`"
    return (
        f"## {string('bibtex', lang)} {{#pn-bibtex}}\n\n"
        f"{fence}bibtex\n{reference.bibtex.rstrip()}\n{fence}\n"
    )
