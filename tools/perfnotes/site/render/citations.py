"""Renders citations: authors and year, linked to the page of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from perfnotes.graph.address import Addresses, markdown_file, relative
from perfnotes.graph.graph import cite_words
from perfnotes.model.reference import Reference
from perfnotes.site.render import markup
from perfnotes.source.bib.citestyle import full_text, label
from perfnotes.text.inline import Citation
from perfnotes.text.prose import has_cjk


class CitationRenderer:
    """Renders citations in texts of language ``lang``, with links to pages in ``site_lang``."""

    def __init__(self, addresses: Addresses, lang: str, site_lang: str) -> None:
        self._addresses, self._lang, self._site_lang = addresses, lang, site_lang

    def render(
        self, citation: Citation, references: tuple[Reference, ...], url: str
    ) -> tuple[str, str]:
        """Return the staged form and the twin's form of a citation, for the page at ``url``."""
        if citation.narrative:
            shown = cite_words(citation, references, self._lang)
            return self._anchors(shown, references[0], url)
        chinese = self._lang == "zh"
        left, right, comma, join = ("（", "）", "，", "；") if chinese else ("(", ")", ", ", "; ")
        staged_parts, twin_parts = [], []
        for item, reference in zip(citation.items, references, strict=True):
            name = reference.year if item.suppress_author else label(reference, self._lang)
            staged, twin = self._anchors(name, reference, url)
            before = f"{item.prefix} " if item.prefix else ""
            after = f"{comma}{item.locator}" if item.locator else ""
            staged_parts.append(markup.words(before) + staged + markup.words(after))
            twin_parts.append(markup.markdown_words(before) + twin + markup.markdown_words(after))
        return left + join.join(staged_parts) + right, left + join.join(twin_parts) + right

    def render_known(
        self, citations: Iterable[Citation], known: Mapping[str, Reference], url: str
    ) -> tuple[str, str]:
        """Return the citations of a table, as HTML and as Markdown, each after its gap.

        A citation with a key that is not ``known`` is left out; a check reports it.
        """
        staged, twin = "", ""
        gap = "" if self._lang == "zh" else " "
        for citation in citations:
            if all(item.key in known for item in citation.items):
                references = tuple(known[item.key] for item in citation.items)
                html, text = self.render(citation, references, url)
                staged, twin = f"{staged}{gap}{html}", f"{twin}{gap}{text}"
        return staged, twin

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
        page = self._addresses.reference(reference.key, self._site_lang)
        title = full_text(reference)
        href = relative(url, page)
        staged = markup.anchor(href, markup.words(name), class_="pn-cite", title=title)
        return staged, f"[{markup.markdown_words(name)}]({relative(url, markdown_file(page))})"
