"""The tools that the notes use: a list by group, and a page for each tool.

What a tool shows and what it cannot see stands in ``notes/tools.yml``. Where it is shown is found
in the notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.graph.tools import ToolUse, first_commands, tool_uses
from perfnotes.model.lab import Lab
from perfnotes.model.note import Note
from perfnotes.model.tool import Tool
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._parts import count, note_link
from perfnotes.site.pages._section import Section
from perfnotes.site.render.citations import CitationRenderer
from perfnotes.site.render.markup import escape, markdown_words, words
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.strings import add_words, string

WORDS = {
    "tools_lead": (
        "Every command that the notes use: what it shows, what it cannot see, and where a note "
        "shows it at work.",
        "笔记用到的每个命令：能看到什么，看不到什么，以及哪篇笔记演示了它。",
    ),
    "tool_shows": ("Shows", "能看到"),
    "tool_misses": ("Cannot see", "看不到"),
    "tool_source": ("Source", "来源"),
    "tool_used": ("Where the notes use it", "笔记中的用法"),
    "tool_unused": ("No note uses it yet.", "暂无笔记用到它。"),
    "tool_labs": ("Labs that measure with it", "用它测量的实验"),
    "tool_see": ("For what it cannot see", "看不到的可用"),
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

_MOST_LINES = 4  # lines of code that are shown of one section


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
    labs = [lab.id for lab in _labs(site, tool)]
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
    body, twin = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
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
            used = f' <span class="pn-count">{count("note", notes, lang)}</span>' if notes else ""
            items.append(
                f'<dt id="{escape(tool.id)}"><a href="{escape(relative(url, page))}">'
                f"<code>{escape(tool.name)}</code></a>{used}</dt>"
                f"<dd>{sentence_html(tool.shows[lang])}</dd>"
            )
            href = to_place(url, page, twin=True)
            rows.append(f"- [`{tool.name}`]({href}): {sentence_markdown(tool.shows[lang])}\n")
        body.append(f"## {words(name[lang])} {{#tools--{id}}}\n")
        body.append(block(['<dl class="pn-tools">', *items, "</dl>"]))
        twin.append(f"\n## {markdown_words(name[lang])}\n\n{''.join(rows)}")
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="tools--top",
        description=lead,
        body="\n".join(body),
        twin="".join(twin),
        kind="tools",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("tools", "tools.yml"),
        source=site.library.shown("tools.yml"),
        styles=("tools",),
    )


def _page(site: Site, tool: Tool, lang: str) -> Page:
    return _ToolPage(site, tool, lang).page()


def _labs(site: Site, tool: Tool) -> list[Lab]:
    wanted = tool.instrument
    labs = site.library.labs.values() if wanted else ()
    return [lab for lab in labs if any(run.tool == wanted for run in lab.runs.values())]


class _ToolPage:
    """Makes the page of one tool in ``lang``."""

    def __init__(self, site: Site, tool: Tool, lang: str) -> None:
        self.site, self.tool, self.lang = site, tool, lang
        self.url = site.addresses.tool(tool.id, lang)
        self.uses = site.derived(tool_uses).get(tool.id, [])
        self.first = site.derived(first_commands).get(tool.id, [])

    def page(self) -> Page:
        tool, lang = self.tool, self.lang
        body = [block(self._words()), f"## {self._string('tool_used')} {{#pn-uses}}\n"]
        twin = [f"# {markdown_words(tool.name)}\n\n", *self._words_twin()]
        twin.append(f"\n## {self._string('tool_used')}\n\n")
        if self.uses or self.first:
            body.append(block(['<ul class="pn-uses">', *self._uses(), "</ul>"]))
            twin += self._uses_twin()
        else:
            body.append(f"{self._string('tool_unused')}\n")
            twin.append(f"{self._string('tool_unused')}\n")
        labs = _labs(self.site, tool)
        if labs:
            items = (f'<li><a href="{self._lab(lab)}">{escape(lab.title[lang])}</a></li>'
                     for lab in labs)  # fmt: skip
            body.append(f"## {self._string('tool_labs')} {{#pn-labs}}\n")
            body.append(block(['<ul class="pn-uses-labs">', *items, "</ul>"]))
            twin.append(f"\n## {self._string('tool_labs')}\n\n")
            twin += (
                f"- [{markdown_words(lab.title[lang])}]({self._lab(lab, twin=True)})\n"
                for lab in labs
            )
        return Page(
            url=self.url,
            lang=lang,
            title=tool.name,
            title_id=tool.id,
            description=tool.shows[lang].replace("`", ""),
            body="\n".join(body),
            twin="".join(twin),
            kind="tool",
            section=SECTION.name,
            alternates=self.site.alternates(lambda each: self.site.addresses.tool(tool.id, each)),
            edit=self.site.edit_table("tools", "tools.yml", tool.offset),
            source=self.site.library.shown("tools.yml"),
            styles=("tools",),
        )

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield a name, HTML and Markdown for each thing that is said of the tool."""
        tool, lang = self.tool, self.lang
        for key, text in (("tool_shows", tool.shows[lang]), ("tool_misses", tool.misses[lang])):
            yield key, sentence_html(text), sentence_markdown(text)
        if tool.see:
            comma = "、" if lang == "zh" else ", "
            others = [self.site.library.tools.by_id[id] for id in tool.see]
            links = (f'<a href="{self._tool(each)}"><code>{escape(each.name)}</code></a>'
                     for each in others)  # fmt: skip
            twins = (f"[`{each.name}`]({self._tool(each, twin=True)})" for each in others)
            yield "tool_see", comma.join(links), comma.join(twins)
        source = self._source()
        if source[0]:
            yield "tool_source", *source

    def _words(self) -> Iterator[str]:
        yield '<dl class="pn-tool">'
        for key, html, _ in self._rows():
            yield f"<dt>{self._string(key)}</dt><dd>{html}</dd>"
        yield "</dl>"

    def _words_twin(self) -> Iterator[str]:
        colon = "：" if self.lang == "zh" else ": "
        yield from (f"- {self._string(key)}{colon}{text}\n" for key, _, text in self._rows())

    def _source(self) -> tuple[str, str]:
        """Return the citations and the link to a section that says the same."""
        tool = self.tool
        renderer = CitationRenderer(self.site.addresses, self.lang, self.lang)
        known = self.site.library.references
        html, twin = renderer.render_known(tool.citations, known, self.url)
        id, _, anchor = tool.section.partition("#")
        note = self.site.library.notes.get(id)
        if note:
            html += f" {self._section(note, anchor)}"
            twin += f" {self._section_twin(note, anchor)}"
        return html.strip(), twin.strip()

    def _uses(self) -> Iterator[str]:
        for command in self.first:
            page = self.site.addresses.section("symptoms", self.lang)
            href = escape(to_place(self.url, f"{page}#symptoms--first"))
            yield (
                f'<li><a href="{href}">{self._string("first_title")}</a>'
                f"<ul><li><code>{escape(command.command)}</code> "
                f"{sentence_html(command.look[self.lang])}</li></ul></li>\n"
            )
        for note_id, of_note in groupby(self.uses, key=lambda use: use.note):
            note = self.site.library.notes[note_id]
            sections = []
            for section, lines in self._by_section(of_note).items():
                code = "<br>".join(f"<code>{escape(line)}</code>" for line in lines)
                heading = escape(self._heading(note, section))
                link = f'<a href="{self._href(note, section)}">{heading}</a>' if heading else ""
                if link or code:
                    sections.append(f"<li>{link}{'<br>' if link and code else ''}{code}</li>")
            shown = f"<ul>{''.join(sections)}</ul>" if sections else ""
            yield f"<li>{note_link(self.site, self.url, note, self.lang)}{shown}</li>\n"

    def _uses_twin(self) -> Iterator[str]:
        for command in self.first:
            look = sentence_markdown(command.look[self.lang])
            yield f"- {self._string('first_title')}: `{command.command}` {look}\n"
        for note_id, of_note in groupby(self.uses, key=lambda use: use.note):
            note = self.site.library.notes[note_id]
            for section, lines in self._by_section(of_note).items():
                yield f"- {self._section_twin(note, section)}\n"
                yield from (f"    - `{line}`\n" for line in lines if "`" not in line)

    def _by_section(self, uses: Iterable[ToolUse]) -> dict[str, list[str]]:
        """Return the lines of code by section, without those that only name the tool."""
        names = {" ".join(command) for command in self.tool.commands}
        found: dict[str, list[str]] = {}
        for use in uses:
            lines = found.setdefault(use.section, [])
            if use.line not in (*names, *lines) and len(lines) < _MOST_LINES:
                lines.append(use.line)
        return found

    def _section(self, note: Note, section: str) -> str:
        """Return a link to a section, named after the note and the heading."""
        there = self.site.addresses.has(note, self.lang)
        badge = "" if there else f' <span class="pn-lang">{self._string("english_only")}</span>'
        foreign = "" if there else ' hreflang="en"'
        name = escape(self._name(note, section))
        return f'<a href="{self._href(note, section)}"{foreign}>{name}</a>{badge}'

    def _section_twin(self, note: Note, section: str) -> str:
        href = to_place(self.url, self._place(note, section), twin=True)
        return f"[{markdown_words(self._name(note, section))}]({href})"

    def _href(self, note: Note, section: str) -> str:
        return escape(to_place(self.url, self._place(note, section)))

    def _place(self, note: Note, section: str) -> str:
        address = self.site.addresses.note(note, self.lang)
        return f"{address}#{section}" if section else address

    def _name(self, note: Note, section: str) -> str:
        heading, title = self._heading(note, section), self.site.title(note, self.lang)
        colon = "：" if self.lang == "zh" else ": "
        return f"{title}{colon}{heading}" if heading else title

    def _heading(self, note: Note, section: str) -> str:
        """Return the heading of a section, in the page's language if the note has it."""
        twin = self.site.library.translations.get(note.id) if self.lang == "zh" else None
        headings = {each.id: each.title for each in (twin or note).body.sections}
        return headings.get(section, "")

    def _lab(self, lab: Lab, *, twin: bool = False) -> str:
        return escape(to_place(self.url, self.site.addresses.lab(lab.id, self.lang), twin=twin))

    def _tool(self, tool: Tool, *, twin: bool = False) -> str:
        return escape(to_place(self.url, self.site.addresses.tool(tool.id, self.lang), twin=twin))

    def _string(self, key: str) -> str:
        return string(key, self.lang)
