"""Renders the body of a note in two forms, with all links resolved and all citations written out.

``staged`` is Markdown that the build turns into HTML. ``markdown`` is the same text as plain
Markdown for people to read, which is published beside the page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec import Struct

from perfnotes.graph.address import Addresses, relative
from perfnotes.graph.binding import Binding
from perfnotes.graph.graph import Graph
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.graph.targets import Target
from perfnotes.graph.termuses import TermFinder
from perfnotes.site.render import markup
from perfnotes.site.render.calculators import set_calculators
from perfnotes.site.render.citations import CitationRenderer
from perfnotes.site.render.code import set_file_names
from perfnotes.site.render.edits import MARKDOWN, STAGED, Edits
from perfnotes.site.render.explorables import ExplorableRenderer
from perfnotes.site.render.foreign import Foreign
from perfnotes.site.render.headings import write_headings
from perfnotes.site.render.links import LinkRenderer
from perfnotes.site.render.maths import set_maths
from perfnotes.site.render.numbers import Numbers
from perfnotes.site.render.pictures import PictureSizes
from perfnotes.site.render.plots import set_plots
from perfnotes.site.render.quantities import keep_quantities
from perfnotes.site.render.tables import align_numbers, let_long_code_break
from perfnotes.source.read.memo import Memo
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding
from perfnotes.text.joining import joins
from perfnotes.text.line_joints import line_joints
from perfnotes.text.tokens import Excess


class Rendered(Struct, frozen=True):
    """A body in both forms, the files that it shows, and the findings of rendering it."""

    staged: str
    markdown: str
    files: frozenset[str]  # paths in the repository of the files that the page shows or links
    findings: tuple[Finding, ...]
    numbers: tuple[Binding, ...] = ()  # numbers with evidence, once for each piece of evidence
    explorables: tuple[str, ...] = ()  # names of the things to try


NOTHING = Rendered("", "", frozenset(), ())


class BodyRenderer:
    """Renders bodies of one language."""

    def __init__(
        self,
        graph: Graph,
        lang: str,
        terms: Callable[[], TermFinder] | None = None,
        memo: Memo | None = None,
    ) -> None:
        """``terms`` returns the finder of terms, which is slow to make and not always needed.

        ``memo`` keeps drawn plots and formulas for later builds.
        """
        self._memo = memo or Memo()
        self._terms = terms or cache(lambda: TermFinder(graph.library.terms.values(), lang))
        self._graph = graph
        self._library = graph.library
        self._addresses: Addresses = graph.addresses
        self._lang = lang
        self._citations = CitationRenderer(self._addresses, lang, self._site_lang)
        self._pictures = PictureSizes(graph.library)

    def render(
        self, links: Links, url: str, *, drop_title: str = "", mark: bool = True
    ) -> Rendered:
        """Render the body of ``links`` for the page at ``url``.

        A first heading that is equal to ``drop_title`` is left out. With ``mark``, the first use of
        each glossary term is linked to the term.
        """
        edits = Edits()
        link_renderer = LinkRenderer(
            self._library, self._addresses, self._pictures, self._lang, url
        )
        findings: list[Finding] = []
        body = links.text.body
        document = body.document
        if document.excess:
            return _as_source(body, document.excess)
        for edit in (*document.blocks.edits, *document.edits):
            edits.add(edit.start, edit.end, edit.new, None)
        for start, end in line_joints(document):
            edits.add(start, end, "", None)
        write_headings(body, edits, drop_title, attributes=self._library.own)
        link_renderer.edit_wikis(links, edits)
        numbers = Numbers(self._graph.evidence, self._addresses, self._site_lang, url)
        numbers.edit(links.bindings, edits)
        numbers.credit(links, edits)
        numbers.hint(links, edits)
        link_renderer.edit(links, edits)
        if not self._library.own:
            _replace_foreign(links, link_renderer, edits, findings)
        for citation, references in links.citations:
            place = self._citations.place(citation, document.text)
            edits.add(*place, *self._citations.render(citation, references, url))
        set_file_names(links, self._library, edits)
        align_numbers(document, edits)
        let_long_code_break(document, edits)
        set_calculators(links, self._library, edits)
        explorables = ExplorableRenderer(
            self._graph.evidence, self._addresses, self._site_lang, url
        ).edit(links, edits)
        set_plots(
            links,
            self._graph.evidence,
            self._addresses,
            self._site_lang,
            url,
            edits,
            memo=self._memo,
        )
        findings += set_maths(body, edits, self._memo)
        if mark:
            self._mark_terms(links, url, edits)
        if self._library.own:  # in a foreign folder this would take a tenth of the build
            keep_quantities(body, edits)
        text = document.text
        # Without this marker the footnotes would come at the end of the page, after the lists of
        # links that follow the body.
        notes = "\n///Footnotes Go Here///\n" if document.blocks.footnotes else ""
        return Rendered(
            edits.apply(text, document.start, STAGED).strip("\n") + "\n" + notes,
            edits.apply(text, document.start, MARKDOWN).strip("\n") + "\n",
            frozenset(link_renderer.files),
            tuple(findings),
            numbers.shown,
            explorables,
        )

    @property
    def _site_lang(self) -> str:
        return self._lang if self._lang in self._library.languages else "en"

    def _mark_terms(self, links: Links, url: str, edits: Edits) -> None:
        text = links.text
        own = {t.id for t in self._library.terms.values() if t.note == text.id}
        linked = {t.id for _, t in links.wikis if t.kind == "term"}
        for use in self._terms().first_uses(text.body, own | linked):
            term = self._library.terms[use.term]
            page = relative(url, self._addresses.term(use.term, self._site_lang))
            raw = " ".join(text.body.document.text[use.start : use.end].split())
            definition = term.definition[self._lang]
            other = term.name["en" if self._lang == "zh" else "zh"]
            tip = f"{term.title(self._lang)} · {other}{joins(self._lang).colon}{definition}"
            staged = markup.anchor(page, markup.escape_staged(raw), class_="pn-term", title=tip)
            edits.add(use.start, use.end, staged, None)


def _as_source(body: Body, excess: Excess) -> Rendered:
    """Show the source of a text that would take too long to render, with a finding."""
    message = f"too much for one page: {excess.what}"
    hint = "the page shows the source; split the note"
    finding = body.source.finding(excess.at, "PN102", message, hint)
    return Rendered(markup.fenced(body.text, "text"), body.text, frozenset(), (finding,))


def _replace_foreign(
    links: Links, link_renderer: LinkRenderer, edits: Edits, findings: list[Finding]
) -> None:
    """Replace what a foreign page must not contain by something readable (see ``foreign``)."""
    reported: set[str] = set()

    def address(target: Target) -> str:
        dest = link_renderer.destination(target)
        return dest[0] if dest else ""

    def add(start: int, end: int, new: str) -> None:
        edits.add(start, end, new, None)

    def report(offset: int, message: str) -> None:
        if message not in reported:
            reported.add(message)
            hint = "only the first on the page is named"
            findings.append(links.text.body.source.finding(offset, "PN601", message, hint))

    Foreign(links, address, add, report).edit()


def body_renderer(site: Site, lang: str) -> BodyRenderer:
    """Return the site's renderer for bodies in ``lang``; there is one for each language."""
    return site.derived(_body_renderers)[lang]


def _body_renderers(site: Site) -> dict[str, BodyRenderer]:
    def renderer(lang: str) -> BodyRenderer:
        return BodyRenderer(site.graph, lang, lambda: site.term_finders[lang], site.memo)

    return {lang: renderer(lang) for lang in ("en", "zh")}
