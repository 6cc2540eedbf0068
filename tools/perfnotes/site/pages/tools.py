"""The tools that the notes use: a list by group, and a page for each tool.

``notes/tools.yml`` says what a tool shows and what it cannot see. Where notes use a tool is found
in their code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.graph.tools import tool_uses
from perfnotes.model.tool import Tool
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._parts import count
from perfnotes.site.pages._section import Section
from perfnotes.site.pages._tool_page import ToolPage, labs_with
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "tools_lead": (
        "Every command that the notes use: what it shows, what it cannot see, and where a note "
        "shows it at work.",
        "笔记用到的每个命令：能看到什么，看不到什么，以及哪篇笔记演示了它。",
    ),
}
add_words(WORDS)

SECTION = Section(
    "tools",
    ("Tools", "工具"),
    exists=lambda site: bool(site.library.tools.by_id),
    place=10,
    llms=10,
    lead="tools_lead",
    names=(("commands", "profilers", "list of tools"), ("命令", "剖析器", "工具列表")),
)


SHOWS = frozenset(
    {
        "table tools",
        "table symptoms",
        "tools",
        "text",
        "note",
        "symptoms",
        "headings",
        "lab",
        "reference",
    }
)
_TABLE: Name = ("table tools",)


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    none: frozenset[Name] = frozenset()
    if site.library.tools.by_id:
        url = SECTION.url(site, lang)
        yield PagePlan(url, none, partial(_list_shows, site), partial(_list, site, lang))
        for tool in site.library.tools.by_id.values():
            url = site.addresses.tool(tool.id, lang)
            make = partial(_page, site, tool, lang)
            yield PagePlan(url, none, partial(_shows, site, tool), make)


def _list_shows(site: Site) -> frozenset[Name]:
    counts = ((id, len({use.note for use in uses})) for id, uses in site.derived(tool_uses).items())
    return frozenset((_TABLE, ("counts", *counts)))


def _shows(site: Site, tool: Tool) -> frozenset[Name]:
    """Return what the page of a tool shows, in both languages."""
    uses = site.derived(tool_uses).get(tool.id, [])
    labs = [lab.id for lab in labs_with(site, tool)]
    notes = {use.note for use in uses} | {tool.section.partition("#")[0]}
    return frozenset(
        {
            *(_TABLE, ("table symptoms",), ("uses", *uses), ("labs", *labs)),
            *(("note", id) for id in notes),
            *(("headings", id) for id in notes),
            *(("reference", key) for key in tool.cited),
            *(("lab", id) for id in labs),
        }
    )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    shown = site.library.shown("tools.yml")
    if site.library.tools.by_id:
        yield PageAddress(SECTION.url(site, lang), shown)
    for id in site.library.tools.by_id:
        yield PageAddress(site.addresses.tool(id, lang), shown)


def listed(site: Site, lang: str) -> Iterator[str]:
    """Yield the names of the tools; the search finds the list by them."""
    del lang
    yield from (tool.name for tool in site.library.tools.by_id.values())


def _list(site: Site, lang: str) -> Page:
    url, title, lead = SECTION.url(site, lang), SECTION.title_in(lang), string("tools_lead", lang)
    body, markdown = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    uses = site.derived(tool_uses)
    by_group: dict[str, list[Tool]] = {}
    for tool in site.library.tools.by_id.values():
        by_group.setdefault(tool.group, []).append(tool)
    for id, name in site.library.tools.groups.items():
        tools = by_group.get(id, [])
        if not tools:
            continue
        items, rows = [], []
        for tool in tools:
            page = site.addresses.tool(tool.id, lang)
            notes = len({use.note for use in uses.get(tool.id, ())})
            words = count("count_notes", notes, lang)
            used = f' <span class="pn-count">{words}</span>' if notes else ""
            items.append(
                f'<dt id="{escape(tool.id)}"><a href="{escape(relative(url, page))}">'
                f"<code>{escape(tool.name)}</code></a>{used}</dt>"
                f"<dd>{sentence_html(tool.shows[lang])}</dd>"
            )
            href = to_place(url, page, markdown=True)
            about = f"{joins(lang).colon}{sentence_markdown(tool.shows[lang])}"
            rows.append(f"- [`{tool.name}`]({href}){about}\n")
        body.append(f"## {escape_staged(name[lang])} {{#tools--{id}}}\n")
        body.append(block(['<dl class="pn-tools">', *items, "</dl>"]))
        markdown.append(f"\n## {escape_markdown(name[lang])}\n\n{''.join(rows)}")
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="tools--top",
        description=lead,
        body="\n".join(body),
        markdown="".join(markdown),
        kind="tools",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("tools", "tools.yml"),
        source=site.library.shown("tools.yml"),
        styles=("tools",),
    )


def _page(site: Site, tool: Tool, lang: str) -> Page:
    return ToolPage(site, tool, lang).page()
