"""The list of all references: one table, which a reader sorts and narrows by topic."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.address import markdown_file, relative
from perfnotes.bib.citestyle import full_text, short_authors
from perfnotes.page import Page, block
from perfnotes.reference import Reference
from perfnotes.render.markup import escape, markdown_words
from perfnotes.site import Site
from perfnotes.strings import string


def pages(site: Site, lang: str) -> Iterator[Page]:
    references = sorted(
        site.library.references.values(),
        key=lambda r: (short_authors(r, "en").casefold(), r.year, r.key),
    )
    if not references:
        return
    url = site.addresses.section("references", lang)
    lead = string("references_lead", lang)
    heads = "".join(
        f'<th scope="col"{kind}>{string(key, lang)}</th>'
        for key, kind in (
            ("sort_author", ""),
            ("sort_year", ""),
            ("sort_title", ""),
            ("sort_topic", ' class="pn-narrows"'),
            ("sort_uses", ""),
        )
    )
    rows = [_row(site, r, url, lang) for r in references]
    table = [
        '<div class="pn-scroll" tabindex="0" role="region" '
        f'aria-label="{string("references", lang)}">',
        f'<table class="pn-sortable"><thead><tr>{heads}</tr></thead><tbody>',
        *rows,
        "</tbody></table></div>",
    ]
    twin = "".join(
        f"- [{markdown_words(full_text(r))}]"
        f"({relative(url, markdown_file(site.addresses.reference(r.key, lang)))})\n"
        for r in references
    )
    yield Page(
        url=url,
        lang=lang,
        title=string("references", lang),
        description=lead,
        body=f"{lead}\n{block(table)}",
        twin=f"# {string('references', lang)}\n\n{lead}\n\n{twin}",
        kind="references",
        scripts=("table",),
        section="references",
        alternates=site.both(lambda other: site.addresses.section("references", other)),
    )


def _row(site: Site, reference: Reference, url: str, lang: str) -> str:
    href = escape(relative(url, site.addresses.reference(reference.key, lang)))
    uses = len({e.source for e in site.graph.cited_by.get(reference.key, [])})
    uses += len(site.facts_by_key.get(reference.key, ()))
    cells = [
        escape(short_authors(reference, lang)),
        escape(reference.year),
        f'<a href="{href}">{escape(reference.title or reference.key)}</a>',
        ", ".join(_topic(site, k, url, lang) for k in reference.keywords),
        str(uses),
    ]
    return "<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"


def _topic(site: Site, keyword: str, url: str, lang: str) -> str:
    """A keyword as a link to the topic of that id, or as the word that it is."""
    topic = site.library.topics.get(keyword)
    if topic is None:
        return escape(keyword)
    href = escape(relative(url, site.addresses.topic(topic.id, lang)))
    return f'<a href="{href}">{escape(topic.title[lang])}</a>'
