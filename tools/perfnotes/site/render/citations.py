"""Renders citations: authors and year, linked to the page of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from perfnotes.graph.address import Addresses, markdown_file, relative
from perfnotes.model.reference import Reference
from perfnotes.site.render import markup
from perfnotes.source.bib.citestyle import label, narrative
from perfnotes.text.chinese import has_cjk
from perfnotes.text.joining import joins
from perfnotes.text.tokens import Citation


class CitationRenderer:
    """Renders citations in texts of language ``lang``, with links to pages in ``site_lang``."""

    def __init__(self, addresses: Addresses, lang: str, site_lang: str) -> None:
        self._addresses, self._lang, self._site_lang = addresses, lang, site_lang

    def render(
        self, citation: Citation, references: tuple[Reference, ...], url: str
    ) -> tuple[str, str]:
        """Return what the page at ``url`` and its Markdown copy show of a citation."""
        if citation.narrative:
            return self._narrative(citation, references[0], url)
        signs = joins(self._lang)
        staged_parts, markdown_parts = [], []
        for item, reference in zip(citation.items, references, strict=True):
            name = (item.suppress_author and reference.year) or label(reference, self._lang)
            staged, markdown = self._anchors(name, reference, url)
            before = f"{item.prefix} " if item.prefix else ""
            after = f"{signs.comma}{item.locator}" if item.locator else ""
            staged_parts.append(markup.escape_staged(before) + staged + _locator(after))
            markdown_parts.append(
                markup.escape_markdown(before) + markdown + markup.escape_markdown(after)
            )
        staged, markdown = map(signs.semicolon.join, (staged_parts, markdown_parts))
        return (
            f"{signs.opening}{staged}{signs.closing}",
            f"{signs.opening}{markdown}{signs.closing}",
        )

    def render_known(
        self, citations: Iterable[Citation], known: Mapping[str, Reference], url: str
    ) -> tuple[str, str]:
        """Return the citations of a table, as HTML and as Markdown, each with a gap before it.

        A citation with a key that is not ``known`` is left out; a check reports it.
        """
        staged, markdown = "", ""
        gap = joins(self._lang).gap
        for citation in citations:
            if all(item.key in known for item in citation.items):
                references = tuple(known[item.key] for item in citation.items)
                html, text = self.render(citation, references, url)
                staged, markdown = f"{staged}{gap}{html}", f"{markdown}{gap}{text}"
        return staged, markdown

    def _narrative(self, citation: Citation, reference: Reference, url: str) -> tuple[str, str]:
        """Return a citation that is a part of its sentence, such as "Goto (2008, sec. 4)"."""
        item = citation.items[0]
        whole = narrative(reference, self._lang, item.locator)
        markdown = self._anchors(whole, reference, url)[1]
        if not item.locator:
            return self._anchors(whole, reference, url)[0], markdown
        # What the locator adds to the words: a comma before it or, without a year, parentheses
        # around it.
        plain = narrative(reference, self._lang)
        end = len(whole) - 1 if reference.year else len(whole)
        start = len(plain) - 1 if reference.year else len(plain)
        html = (
            markup.escape_staged(whole[:start])
            + _locator(whole[start:end])
            + markup.escape_staged(whole[end:])
        )
        return self._anchor(html, reference, url), markdown

    def place(self, citation: Citation, text: str) -> tuple[int, int]:
        """Return the range that the rendered citation replaces.

        In Chinese it includes a space before a full-width parenthesis, or between a citation in the
        sentence and the Chinese character after it.
        """
        start, end = citation.start, citation.end
        if self._lang == "zh":
            if not citation.narrative and text[start - 1 : start] == " ":
                start -= 1
            if (
                citation.narrative
                and text[end : end + 1] == " "
                and has_cjk(text[end + 1 : end + 2])
            ):
                end += 1
        return start, end

    def _anchors(self, name: str, reference: Reference, url: str) -> tuple[str, str]:
        page = markdown_file(self._addresses.reference(reference.key, self._site_lang))
        staged = self._anchor(markup.escape_staged(name), reference, url)
        return staged, f"[{markup.escape_markdown(name)}]({relative(url, page)})"

    def _anchor(self, html: str, reference: Reference, url: str) -> str:
        href = relative(url, self._addresses.reference(reference.key, self._site_lang))
        return markup.anchor(href, html, class_="pn-cite")


def _locator(words: str) -> str:
    """Return a locator as HTML; scripts show it in the margin and on the card of the citation."""
    return f'<span class="pn-locator">{markup.escape_staged(words)}</span>' if words else ""
