"""The page of one tool: what it shows, what it cannot see, and where notes and labs use it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from perfnotes.graph.address import to_place
from perfnotes.graph.site import Site
from perfnotes.graph.tools import ToolUse, first_commands, tool_uses
from perfnotes.model.lab import Lab
from perfnotes.model.note import Note
from perfnotes.model.tool import Tool
from perfnotes.site.page import Page, block
from perfnotes.site.pages._parts import note_link
from perfnotes.site.render.citations import CitationRenderer
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "tool_shows": ("Shows", "能看到"),
    "tool_misses": ("Cannot see", "看不到"),
    "tool_source": ("Source", "来源"),
    "tool_used": ("Where the notes use it", "笔记中的用法"),
    "tool_unused": ("No note uses it yet.", "暂无笔记用到它。"),
    "tool_labs": ("Labs that measure with it", "用它测量的实验"),
    "tool_see": ("For what it cannot see", "看不到的可用"),
}
add_words(WORDS)

_MOST_LINES = 4  # lines of code that are shown of one section


def labs_with(site: Site, tool: Tool) -> list[Lab]:
    """Return the labs with a run that measures with the tool."""
    wanted = tool.instrument
    labs = site.library.labs.values() if wanted else ()
    return [lab for lab in labs if any(run.tool == wanted for run in lab.runs.values())]


class ToolPage:
    """Makes the page of one tool in ``lang``."""

    def __init__(self, site: Site, tool: Tool, lang: str) -> None:
        self.site, self.tool, self.lang = site, tool, lang
        self.url = site.addresses.tool(tool.id, lang)
        self.uses = site.derived(tool_uses).get(tool.id, [])
        self.first = site.derived(first_commands).get(tool.id, [])

    def page(self) -> Page:
        tool, lang = self.tool, self.lang
        body = [block(self._words()), f"## {self._string('tool_used')} {{#pn-uses}}\n"]
        markdown = [f"# {escape_markdown(tool.name)}\n\n", *self._words_markdown()]
        markdown.append(f"\n## {self._string('tool_used')}\n\n")
        if self.uses or self.first:
            body.append(block(['<ul class="pn-uses">', *self._uses(), "</ul>"]))
            markdown += self._uses_markdown()
        else:
            body.append(f"{self._string('tool_unused')}\n")
            markdown.append(f"{self._string('tool_unused')}\n")
        labs = labs_with(self.site, tool)
        if labs:
            items = (f'<li><a href="{self._lab(lab)}">{escape(lab.title[lang])}</a></li>'
                     for lab in labs)  # fmt: skip
            body.append(f"## {self._string('tool_labs')} {{#pn-labs}}\n")
            body.append(block(['<ul class="pn-uses-labs">', *items, "</ul>"]))
            markdown.append(f"\n## {self._string('tool_labs')}\n\n")
            markdown += (
                f"- [{escape_markdown(lab.title[lang])}]({self._lab(lab, markdown=True)})\n"
                for lab in labs
            )
        return Page(
            url=self.url,
            lang=lang,
            title=tool.name,
            title_id=tool.id,
            description=tool.shows[lang].replace("`", ""),
            body="\n".join(body),
            markdown="".join(markdown),
            kind="tool",
            section="tools",
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
            comma = joins(lang).item
            others = [self.site.library.tools.by_id[id] for id in tool.see]
            links = (f'<a href="{self._tool(each)}"><code>{escape(each.name)}</code></a>'
                     for each in others)  # fmt: skip
            markdown = (f"[`{each.name}`]({self._tool(each, markdown=True)})" for each in others)
            yield "tool_see", comma.join(links), comma.join(markdown)
        source = self._source()
        if source[0]:
            yield "tool_source", *source

    def _words(self) -> Iterator[str]:
        yield '<dl class="pn-tool">'
        for key, html, _ in self._rows():
            yield f"<dt>{self._string(key)}</dt><dd>{html}</dd>"
        yield "</dl>"

    def _words_markdown(self) -> Iterator[str]:
        colon = joins(self.lang).colon
        yield from (f"- {self._string(key)}{colon}{text}\n" for key, _, text in self._rows())

    def _source(self) -> tuple[str, str]:
        """Return the citations and the link to a section that says the same."""
        tool = self.tool
        renderer = CitationRenderer(self.site.addresses, self.lang, self.lang)
        known = self.site.library.references
        html, markdown = renderer.render_known(tool.citations, known, self.url)
        id, _, anchor = tool.section.partition("#")
        note = self.site.library.notes.get(id)
        if note:
            html += f" {self._section(note, anchor)}"
            markdown += f" {self._section_markdown(note, anchor)}"
        return html.strip(), markdown.strip()

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

    def _uses_markdown(self) -> Iterator[str]:
        colon = joins(self.lang).colon
        for command in self.first:
            look = sentence_markdown(command.look[self.lang])
            yield f"- {self._string('first_title')}{colon}`{command.command}` {look}\n"
        for note_id, of_note in groupby(self.uses, key=lambda use: use.note):
            note = self.site.library.notes[note_id]
            for section, lines in self._by_section(of_note).items():
                yield f"- {self._section_markdown(note, section)}\n"
                yield from (f"    - `{line}`\n" for line in lines if "`" not in line)

    def _by_section(self, uses: Iterable[ToolUse]) -> dict[str, list[str]]:
        """Return lines of code by section, without lines that are only the name of the tool."""
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
        foreign = "" if there else ' hreflang="en" lang="en"'
        name = escape(self._name(note, section))
        return f'<a href="{self._href(note, section)}"{foreign}>{name}</a>{badge}'

    def _section_markdown(self, note: Note, section: str) -> str:
        href = to_place(self.url, self._place(note, section), markdown=True)
        return f"[{escape_markdown(self._name(note, section))}]({href})"

    def _href(self, note: Note, section: str) -> str:
        return escape(to_place(self.url, self._place(note, section)))

    def _place(self, note: Note, section: str) -> str:
        address = self.site.addresses.note(note, self.lang)
        return f"{address}#{section}" if section else address

    def _name(self, note: Note, section: str) -> str:
        heading, title = self._heading(note, section), self.site.title(note, self.lang)
        colon = joins(self.lang).colon
        return f"{title}{colon}{heading}" if heading else title

    def _heading(self, note: Note, section: str) -> str:
        """Return the heading of a section, in the page's language if the note has it."""
        twin = self.site.library.translations.get(note.id) if self.lang == "zh" else None
        headings = {each.id: each.title for each in (twin or note).body.sections}
        return headings.get(section, "")

    def _lab(self, lab: Lab, *, markdown: bool = False) -> str:
        return escape(
            to_place(self.url, self.site.addresses.lab(lab.id, self.lang), markdown=markdown)
        )

    def _tool(self, tool: Tool, *, markdown: bool = False) -> str:
        return escape(
            to_place(self.url, self.site.addresses.tool(tool.id, self.lang), markdown=markdown)
        )

    def _string(self, key: str) -> str:
        return string(key, self.lang)
