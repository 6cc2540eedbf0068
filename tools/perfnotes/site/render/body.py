"""Renders the body of a note in two forms, with all links resolved and all citations written out.

``staged`` is Markdown that the build turns into HTML. ``twin`` is the same text as plain Markdown
for people to read, which is published beside the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

from perfnotes.graph.address import Addresses, markdown_file, relative
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
from perfnotes.site.render.edits import STAGED, TWIN, Edits, without_link
from perfnotes.site.render.explorables import ExplorableRenderer
from perfnotes.site.render.foreign import PICTURES, Foreign
from perfnotes.site.render.headings import write_headings
from perfnotes.site.render.maths import set_maths
from perfnotes.site.render.numbers import Numbers
from perfnotes.site.render.pictures import PictureSizes
from perfnotes.site.render.plots import set_plots
from perfnotes.site.render.quantities import keep_quantities
from perfnotes.site.render.tables import align_numbers
from perfnotes.site.strings import string
from perfnotes.source.read.memo import Memo
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding
from perfnotes.text.tokens import Definition, Excess, Link, Wiki


@dataclass(frozen=True, slots=True)
class Rendered:
    """A body in both forms, the files that it shows, and the findings of rendering it."""

    staged: str
    twin: str
    files: frozenset[str]  # paths in the repository's tree that the page shows or links
    findings: tuple[Finding, ...]
    numbers: tuple[Binding, ...] = ()  # numbers with evidence, once for each piece of evidence
    explorables: tuple[str, ...] = ()  # names of the things to try


_RENDERED = ("evidence", "plot")  # links that other modules write
_NO_PAGE = ("none", *_RENDERED)
NOTHING = Rendered("", "", frozenset(), ())


def file_address(path: str) -> str:
    """Return the address on the site of a file of the repository."""
    return path.removeprefix("notes/").removeprefix("docs/")


class BodyRenderer:
    """Renders bodies of one language."""

    def __init__(
        self,
        graph: Graph,
        lang: str,
        terms: Callable[[], TermFinder] | None = None,
        memo: Memo | None = None,
    ) -> None:
        """``terms`` gives the finder of terms, which is slow to make and not always needed.

        ``memo`` remembers what was drawn.
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
        files: set[str] = set()
        findings: list[Finding] = []
        body = links.text.body
        document = body.document
        if document.excess:
            return _as_source(body, document.excess)
        for edit in (*document.blocks.edits, *document.edits):
            edits.add(edit.start, edit.end, edit.new, None)
        write_headings(body, edits, drop_title, attributes=self._library.own)
        for wiki, target in links.wikis:
            self._wiki(wiki, target, links, url, edits, files)
        numbers = Numbers(self._graph.evidence, self._addresses, self._site_lang, url)
        numbers.edit(links.bindings, edits)
        numbers.credit(links, edits)
        numbers.hint(links, edits)
        for link, target in links.links:
            self._link(link, target, url, edits, files)
        self._definitions(links, url, edits, files)
        if not self._library.own:
            self._foreign(links, url, edits, files, findings)
        for citation, references in links.citations:
            place = self._citations.place(citation, document.text)
            edits.add(*place, *self._citations.render(citation, references, url))
        set_file_names(links, self._library, edits)
        align_numbers(document, edits)
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
        findings += set_maths(body, edits)
        if mark:
            self._mark_terms(links, url, edits)
        if self._library.own:  # finding them takes a tenth of the time of a build of any folder
            keep_quantities(body, edits)
        text = document.text
        # Without this marker the footnotes would come at the end of the page, after the lists of
        # links that follow the body.
        notes = "\n///Footnotes Go Here///\n" if document.blocks.footnotes else ""
        return Rendered(
            edits.apply(text, document.start, STAGED).strip("\n") + "\n" + notes,
            edits.apply(text, document.start, TWIN).strip("\n") + "\n",
            frozenset(files),
            tuple(findings),
            numbers.shown,
            explorables,
        )

    def _definitions(self, links: Links, url: str, edits: Edits, files: set[str]) -> None:
        """Write the destinations of reference links into the links and remove the definitions.

        The twin keeps them, with resolved destinations.
        """
        document = links.text.body.document
        by_label = {d.label: d for d in reversed(document.blocks.definitions)}
        for link in document.links:
            if link.kind in ("reference", "image-reference"):
                target = links.by_label[link.dest]
                if target.kind not in _RENDERED and not self._unless_broken(link, target, edits):
                    # Python-Markdown does not find labels that contain markup.
                    dest = self._defined(by_label[link.dest], target, document.text, url, files)
                    edits.add(link.label_end, link.end, f"]({dest})", None)
        for definition in document.blocks.definitions:
            target = links.definitions[definition.start]
            forms = self._destination(target, url, files)
            if forms:
                edits.add(definition.dest_start, definition.dest_end, None, forms[1])
            edits.add(definition.start, definition.end, "", None)

    def _destination(self, target: Target, url: str, files: set[str]) -> tuple[str, str] | None:
        """Return the destination on the page and in its twin; None keeps what the source says."""
        anchor = f"#{quote(target.anchor)}" if target.anchor else ""
        if target.kind == "anchor":
            return (anchor, anchor) if anchor else None
        if target.kind == "file":
            files.add(target.id)
            address = relative(url, file_address(target.id))
            return address, address
        if target.kind == "none":
            return "#", "#"
        page = self._page(target)
        if page is None:
            return None
        return relative(url, page) + anchor, relative(url, markdown_file(page)) + anchor

    def _page(self, target: Target) -> str | None:
        if target.kind == "note":
            return self._addresses.note(self._library.notes[target.id], self._lang)
        if target.kind == "term":
            return self._addresses.term(target.id, self._lang)
        if target.kind == "page":
            return self._addresses.page(target.id, self._lang)
        if target.kind == "section":
            lang = "en" if target.id == "checks" else self._lang
            return self._addresses.section(target.id, lang)
        if target.kind == "topic":
            lang = self._lang if self._lang in self._library.languages else "en"
            return self._addresses.topic(target.id, lang)
        return None

    def _link(self, link: Link, target: Target, url: str, edits: Edits, files: set[str]) -> None:
        if target.kind == "url" or (link.kind == "auto" and target.kind not in _NO_PAGE):
            return
        if link.kind == "html":
            return  # our own notes hold no HTML; ``Foreign`` treats that of others
        if link.kind == "auto":
            # An address that is not allowed is shown, not linked.
            edits.add(link.start, link.end, markup.words(link.dest.removeprefix("mailto:")), None)
            return
        if target.kind in _RENDERED or self._unless_broken(link, target, edits):
            return
        dest = self._destination(target, url, files)
        if dest:
            edits.add(link.dest_start, link.dest_end, *dest)
            if link.kind == "image" and target.kind == "file":
                edits.add(link.end, link.end, self._pictures.attributes(target.id), None)
        mark = self._elsewhere(target)
        if mark and link.kind == "inline":
            edits.add(link.end, link.end, mark, mark)

    def _unless_broken(self, link: Link, target: Target, edits: Edits) -> bool:
        """Remove a link that leads nowhere but keep its words. Returns whether it did."""
        if target.kind != "none":
            return False
        without_link(link, edits)
        return True

    def _defined(
        self, definition: Definition, target: Target, text: str, url: str, files: set[str]
    ) -> str:
        """Return the destination and title of a definition as an inline link writes them."""
        found = self._destination(target, url, files)
        dest = found[0] if found else text[definition.dest_start : definition.dest_end]
        title = text[definition.dest_end : definition.end].strip()
        return f"{dest} {title}" if title[:1] in ("'", '"') else dest

    def _foreign(
        self, links: Links, url: str, edits: Edits, files: set[str], findings: list[Finding]
    ) -> None:
        """Replace what a foreign page must not contain by something readable (see ``foreign``)."""
        reported: set[str] = set()

        def address(target: Target) -> str:
            dest = self._destination(target, url, files)
            return dest[0] if dest else ""

        def add(start: int, end: int, new: str) -> None:
            edits.add(start, end, new, None)

        def report(offset: int, message: str) -> None:
            if message not in reported:
                reported.add(message)
                hint = "only the first on the page is named"
                findings.append(links.text.body.source.finding(offset, "PN601", message, hint))

        Foreign(links, address, add, report).edit()

    def _wiki(
        self,
        wiki: Wiki,
        target: Target,
        links: Links,
        url: str,
        edits: Edits,
        files: set[str],
    ) -> None:
        if target.kind == "none":
            raw = links.text.body.document.text[wiki.start : wiki.end]
            edits.add(wiki.start, wiki.end, markup.words(raw), None)
            return
        title = wiki.label or self._title(target, links)
        dest = self._destination(target, url, files)
        staged, twin = dest or ("#", "#")
        mark = self._elsewhere(target)
        shown = markup.words(title)
        picture = target.kind == "file" and target.id.lower().endswith(PICTURES)
        sign = "!" if wiki.embed and picture else ""
        edits.add(
            wiki.start,
            wiki.end,
            f"{sign}[{shown}]({staged}){mark}",
            f"{sign}[{markup.markdown_words(title)}]({twin}){mark}",
        )

    def _title(self, target: Target, links: Links) -> str:
        if target.kind == "note":
            twin = self._library.translations.get(target.id) if self._lang == "zh" else None
            note = self._library.notes[target.id]
            title = (twin or note).meta.title
            if target.anchor:
                body = (twin or note).body
                heading = next((s.title for s in body.sections if s.id == target.anchor), "")
                return f"{title}: {heading}" if heading and self._lang == "en" else heading or title
            return title
        if target.kind == "term":
            return self._library.terms[target.id].name[self._lang]
        if target.kind == "file":
            return target.id.rpartition("/")[2]
        if target.kind == "anchor":
            sections = links.text.body.sections
            return next((s.title for s in sections if s.id == target.anchor), target.anchor)
        return target.id

    def _elsewhere(self, target: Target) -> str:
        """Return a remark for a link that leads to an English page, or an empty string."""
        if self._lang != "zh" or "zh" not in self._library.languages:
            return ""
        if target.kind == "note":
            there = self._addresses.has(self._library.notes[target.id], "zh")
        elif target.kind == "page":
            there = (target.id, "zh") in self._library.pages
        else:
            there = (target.kind, target.id) != ("section", "checks")
        return "" if there else f"（{string('english_only', 'zh')}）"

    @property
    def _site_lang(self) -> str:
        return self._lang if self._lang in self._library.languages else "en"

    def _mark_terms(self, links: Links, url: str, edits: Edits) -> None:
        text = links.text
        own = {t.id for t in self._library.terms.values() if t.note == text.id}
        linked = {t.id for _, t in links.wikis if t.kind == "term"}
        for use in self._terms().first_uses(text.body.document, own | linked):
            term = self._library.terms[use.term]
            page = relative(url, self._addresses.term(use.term, self._site_lang))
            raw = " ".join(text.body.document.text[use.start : use.end].split())
            definition = term.definition[self._lang]
            other = term.name["en" if self._lang == "zh" else "zh"]
            tip = f"{term.title(self._lang)} · {other}: {definition}"
            staged = markup.anchor(page, markup.words(raw), class_="pn-term", title=tip)
            edits.add(use.start, use.end, staged, None)


def _as_source(body: Body, excess: Excess) -> Rendered:
    """Show the source of a text that would take too long to render, with a finding."""
    message = f"too much for one page: {excess.what}"
    hint = "the page shows the source; split the note"
    finding = body.source.finding(excess.at, "PN102", message, hint)
    return Rendered(markup.fenced(body.text, "text"), body.text, frozenset(), (finding,))


def body_renderer(site: Site, lang: str) -> BodyRenderer:
    """Return the site's renderer for bodies in ``lang``; there is one for each language."""
    return site.derived(_body_renderers)[lang]


def _body_renderers(site: Site) -> dict[str, BodyRenderer]:
    def renderer(lang: str) -> BodyRenderer:
        return BodyRenderer(site.graph, lang, lambda: site.term_finders[lang], site.memo)

    return {lang: renderer(lang) for lang in ("en", "zh")}
