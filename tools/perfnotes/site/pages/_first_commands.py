"""What to run first on a slow machine: commands, what they may answer, and where each leads."""

from __future__ import annotations

from collections.abc import Callable

from perfnotes.graph.site import Site
from perfnotes.model.symptom import FirstCommand, OutputReading
from perfnotes.site.page import block
from perfnotes.site.render.citations import CitationRenderer
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "first_about": (
        "Run these in this order. Each answer leads to the questions above with which to go on.",
        "依次运行下列命令，每种结果都指向上文中接下来要问的问题。",
    ),
}
add_words(WORDS)


class FirstCommands:
    """Makes the list for the page at ``url``; ``anchor`` gives the id of a place on that page."""

    def __init__(self, site: Site, url: str, lang: str, anchor: Callable[[str], str]) -> None:
        self._site, self._url, self._lang, self._anchor = site, url, lang, anchor
        self._citations = CitationRenderer(site.addresses, lang, lang)
        # Separates a command from what to look at, which would look like its arguments.
        self._colon = joins(lang).colon
        self._commands = site.library.symptom_index.first
        self._places = {place.id: place for place in site.library.symptom_index.places}

    @property
    def title(self) -> str:
        return string("first_title", self._lang)

    def staged(self) -> str:
        """Return the list as staged Markdown."""
        items = "".join(map(self._item, self._commands))
        about = string("first_about", self._lang)
        return f"{about}\n" + block(f'<ol class="pn-first">{items}</ol>')

    def markdown(self) -> str:
        """Return the list as Markdown that people read."""
        lines = [f"{string('first_about', self._lang)}\n\n"]
        for n, command in enumerate(self._commands, start=1):
            look = sentence_markdown(command.look[self._lang])
            lines.append(
                f"{n}. `{command.command}`{self._colon}{look}{self._sources(command)[1]}\n"
            )
            for reading in command.readings:
                says = sentence_markdown(reading.says[self._lang])
                lines.append(f"    - {says} → {escape_markdown(self._place(reading))}\n")
        return "".join(lines)

    def _item(self, command: FirstCommand) -> str:
        readings = "".join(
            f"<li>{sentence_html(reading.says[self._lang])} → "
            f'<a href="#{self._anchor(reading.leads)}">{escape(self._place(reading))}</a></li>\n'
            for reading in command.readings
        )
        look = sentence_html(command.look[self._lang])
        return (
            f'<li class="pn-row"><p><code>{escape(command.command)}</code>{self._colon}'
            f"{look}{self._sources(command)[0]}</p><ul>{readings}</ul></li>\n"
        )

    def _place(self, reading: OutputReading) -> str:
        """Return the title of the place to which an answer leads."""
        return self._places[reading.leads.partition("/")[0]].title[self._lang]

    def _sources(self, command: FirstCommand) -> tuple[str, str]:
        """Return the citations of the command, as HTML and as Markdown."""
        known = self._site.library.references
        return self._citations.render_known(command.citations, known, self._url)
