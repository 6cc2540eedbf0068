"""The page of all references: a timeline, and a table that readers can sort and filter."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.gaps import texts_citing
from perfnotes.graph.site import Site
from perfnotes.model.reference import Reference
from perfnotes.site.page import Page, block
from perfnotes.site.pages._section import Section
from perfnotes.site.pages._timeline import bars, timeline, year_of
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.source.bib.citestyle import full_text, short_authors
from perfnotes.text.joining import joins

WORDS = {
    "references_lead": (
        "Every paper, manual, standard and talk of the bibliography, and how often it is cited.",
        "文献表中的每篇论文、手册、标准与演讲，以及各被引用多少次。",
    ),
    "type_book": ("book", "书籍"),
    "type_manual": ("manual", "手册"),
    "type_other": ("web", "网络资料"),
    "type_paper": ("paper", "论文"),
    "type_report": ("report", "报告"),
    "type_thesis": ("thesis", "学位论文"),
}
add_words(WORDS)

SECTION = Section(
    "references",
    ("References", "参考文献"),
    exists=lambda site: bool(site.library.references),
    place=60,
    llms=50,
    lead="references_lead",
    names=(("papers", "bibliography"), ("论文", "文献", "文献列表")),
)

_COLUMNS = ("sort_author", "sort_year", "sort_title", "sort_topic", "sort_type", "sort_uses")
_TYPES = {
    "article": "paper",
    "inproceedings": "paper",
    "conference": "paper",
    "incollection": "paper",
    "inbook": "book",
    "book": "book",
    "proceedings": "book",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "manual": "manual",
    "techreport": "report",
    "report": "report",
}


SHOWS = frozenset(
    {
        "table references",
        "table symptoms",
        "table tools",
        "reference",
        "links",
        "fact",
        "introduction",
    }
)


def pages(site: Site, lang: str) -> Iterator[Page]:
    by_author = sorted(
        site.library.references.values(),
        key=lambda r: (short_authors(r, "en").casefold(), r.year, r.key),
    )
    if not by_author:
        return
    references = sorted(by_author, key=lambda r: -year_of(r))
    url = SECTION.url(site, lang)
    lead = string("references_lead", lang)
    heads = "".join(f'<th scope="col">{string(key, lang)}</th>' for key in _COLUMNS)
    uses = {r.key: times_used(site, r) for r in references}
    anchors = {bar.papers[0].key: bar.anchor for bar in bars(references) if bar.papers}
    rows = [_row(site, r, uses[r.key], anchors.get(r.key, ""), url, lang) for r in references]
    name = SECTION.title_in(lang)
    table = [
        f'<div class="pn-scroll pn-papers" tabindex="0" role="region" aria-label="{name}">',
        f'<table class="pn-sortable"><thead><tr>{heads}</tr></thead><tbody>',
        *rows,
        "</tbody></table></div>",
    ]
    markdown = "".join(
        f"- [{escape_markdown(full_text(r))}]"
        f"({relative(url, markdown_file(site.addresses.reference(r.key, lang)))})\n"
        for r in by_author
    )
    yield Page(
        url=url,
        lang=lang,
        title=name,
        description=lead,
        body=f"{lead}\n{timeline(references, uses, lang)}"
        + block('<div class="pn-filter"></div>')
        + block(table),
        markdown=f"# {name}\n\n{lead}\n\n{markdown}",
        kind="references",
        styles=("papers",),
        scripts=("table", "papers"),
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("references", "references.bib"),
    )


def times_used(site: Site, reference: Reference) -> int:
    """Return how many texts and facts cite the reference; all tables together count as one."""
    texts = site.derived(texts_citing).get(reference.key, ())
    in_tables = reference.key in site.library.cited_by_tables
    return len(texts) + len(site.facts_by_key.get(reference.key, ())) + in_tables


def type_name(reference: Reference, lang: str) -> str:
    """Return the kind of publication in a word, such as ``paper`` or ``book``."""
    return string(f"type_{_TYPES.get(reference.type, 'other')}", lang)


def _row(
    site: Site,
    reference: Reference,
    uses: int,
    anchor: str,
    url: str,
    lang: str,
) -> str:
    href = escape(relative(url, site.addresses.reference(reference.key, lang)))
    title = reference.title or reference.key
    cells = [
        escape(short_authors(reference, lang)),
        escape(reference.year),
        f'<a href="{href}"{lang_attribute(title, lang)}>{escape(title)}</a>',
        joins(lang).item.join(_topic(site, k, url, lang) for k in reference.keywords),
        type_name(reference, lang),
        str(uses),
    ]
    row = f'<tr id="{anchor}">' if anchor else "<tr>"
    return row + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"


def _topic(site: Site, keyword: str, url: str, lang: str) -> str:
    """Return a keyword as a link to the topic with that id, or as plain text if there is none."""
    topic = site.library.topics.get(keyword)
    if topic is None:
        return escape(keyword)
    href = escape(relative(url, site.addresses.topic(topic.id, lang)))
    return f'<a href="{href}">{escape(topic.title[lang])}</a>'
