"""The glossary: a list of all terms, and a page for each term with a link to its note."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.model.term import Term
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._parts import FILTER, note_link
from perfnotes.site.pages._section import Section
from perfnotes.site.pages.topic import note_list
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "explained_in": ("explained in", "详见"),
    "glossary_lead": (
        "Every term that the notes use, in English and Chinese.",
        "笔记中用到的全部术语，中英对照。",
    ),
    "other_language": ("In Chinese", "英文"),
    "used_in": ("Used in", "出现于"),
}
add_words(WORDS)

SECTION = Section(
    "glossary",
    ("Glossary", "术语表"),
    exists=lambda site: bool(site.library.terms),
    place=50,
    llms=40,
    lead="glossary_lead",
    names=(("terms", "list of terms"), ("词汇表", "名词解释", "术语")),
)

SHOWS = frozenset({"term", "terms", "table glossary", "text", "note"})


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    if not site.library.terms:
        return
    none: frozenset[Name] = frozenset()
    yield PagePlan(
        SECTION.url(site, lang), none, partial(_list_shows, site), partial(_list, site, lang)
    )
    for term in site.library.terms.values():
        url = site.addresses.own_term(term.id, lang)
        yield PagePlan(
            url, none, partial(_shows, site, term, lang), partial(_page, site, term, lang)
        )


def _list_shows(site: Site) -> frozenset[Name]:
    terms = site.library.terms
    return frozenset(
        (
            ("order", *terms),
            *(("term", id) for id in terms),
            *(("note", t.note) for t in terms.values()),
        )
    )


def _shows(site: Site, term: Term, lang: str) -> frozenset[Name]:
    """Return what the page of a term shows."""
    uses = site.uses_of_terms(lang).get(term.id, ())
    edit = site.edit_table("glossary", "glossary.yml", term.offset)
    notes = (("note", id) for id in (term.note, *uses))
    return frozenset((("term", term.id), ("uses", *uses), ("edit", edit), *notes))


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    if site.library.terms:
        yield PageAddress(SECTION.url(site, lang), "", SECTION.title_in(lang))
    shown = site.library.shown("glossary.yml")
    yield from (PageAddress(site.addresses.own_term(id, lang), shown) for id in site.library.terms)


def _other(lang: str) -> str:
    return "en" if lang == "zh" else "zh"


def _list(site: Site, lang: str) -> Page:
    url = SECTION.url(site, lang)
    terms = sorted(site.library.terms.values(), key=lambda t: (t.name["en"].casefold(), t.id))
    lead = string("glossary_lead", lang)
    items, rows = [], []
    for term in terms:
        page = site.addresses.own_term(term.id, lang)
        other = f'<span lang="{_other(lang)}">{escape(term.name[_other(lang)])}</span>'
        items.append(
            f'<div class="pn-row"><dt id="{escape(term.id)}">'
            f'<a href="{escape(relative(url, page))}">{escape(term.title(lang))}</a> {other}</dt>'
            f"<dd>{escape(term.definition[lang])}{_explained(site, term, url, lang)}</dd></div>"
        )
        href = relative(url, markdown_file(page))
        name = escape_markdown(f"{term.title(lang)} / {term.name[_other(lang)]}")
        rows.append(
            f"- [{name}]({href}){joins(lang).colon}{escape_markdown(term.definition[lang])}\n"
        )
    return Page(
        url=url,
        lang=lang,
        title=SECTION.title_in(lang),
        description=lead,
        body=f"{lead}\n" + block(FILTER) + block(['<dl class="pn-glossary">', *items, "</dl>"]),
        markdown=f"# {SECTION.title_in(lang)}\n\n{lead}\n\n{''.join(rows)}",
        kind="glossary",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("glossary", "glossary.yml"),
        scripts=("filter",),
    )


def _explained(site: Site, term: Term, url: str, lang: str) -> str:
    note = site.library.notes.get(term.note)
    if not note:
        return ""
    words = f"{string('explained_in', lang)} {note_link(site, url, note, lang)}"
    signs = joins(lang)
    return f"{signs.gap}<span>{signs.opening}{words}{signs.closing}</span>"


def _page(site: Site, term: Term, lang: str) -> Page:
    url = site.addresses.own_term(term.id, lang)
    other = _other(lang)
    comma = joins(lang).item
    aliases = [*(term.aliases_zh if lang == "zh" else term.aliases_en)]
    parts = [
        escape_staged(term.definition[lang]) + "\n",
        block(
            f'<dl class="pn-facts-list"><dt>{string("other_language", lang)}</dt>'
            f'<dd lang="{other}">{escape(term.title(other))}</dd>'
            + (
                f"<dt>{string('aliases', lang)}</dt><dd>{escape(comma.join(aliases))}</dd>"
                if aliases
                else ""
            )
            + "</dl>"
        ),
    ]
    note = site.library.notes.get(term.note)
    if note:
        label, link = string("explained_in", lang), note_link(site, url, note, lang)
        parts.append(block(f"<p>{label} {link}</p>"))
    uses = [site.library.notes[id] for id in site.uses_of_terms(lang).get(term.id, ())]
    if uses:
        parts.append(f"## {string('used_in', lang)} {{#pn-notes}}\n")
        parts.append(note_list(site, uses, url, lang))
    return Page(
        url=url,
        lang=lang,
        title=term.title(lang),
        title_id=term.id,
        description=term.definition[lang],
        body="\n".join(parts),
        markdown=f"# {escape_markdown(term.title(lang))}\n\n"
        f"{escape_markdown(term.definition[lang])}\n\n"
        f"{string('other_language', lang)}{joins(lang).colon}"
        f"{escape_markdown(term.title(other))}\n",
        kind="term",
        section=SECTION.name,
        alternates=site.alternates(lambda each: site.addresses.own_term(term.id, each)),
        edit=site.edit_table("glossary", "glossary.yml", term.offset),
        source=site.library.shown("glossary.yml"),
    )
