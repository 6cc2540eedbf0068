"""An Edit: what is different after some notes have changed since the last whole build.

An edit is small where nothing but the text of notes has changed, and no other page can show more
of it than ``ChangedTexts`` says. Then the kinds of pages tell which of their pages may come out
different, and only these pages and a part of the search index are made. What they need of the
other notes was stored by the last whole build.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from perfnotes.build.build_record import Left, Made, row
from perfnotes.graph.address import markdown_file
from perfnotes.graph.coverage import share
from perfnotes.graph.graph import Edge, Graph, Links, link
from perfnotes.graph.site import Site
from perfnotes.graph.termuses import TermFinder
from perfnotes.search.shards import Difference
from perfnotes.site.page import Page
from perfnotes.site.page_addresses import page_addresses
from perfnotes.site.pages import with_function
from perfnotes.site.pages._changed import ChangedTexts
from perfnotes.site.searchable.documents import document_of
from perfnotes.site.stage import page_source
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.reread import read_again

NOTHING = Made()
INDEX_FOLDER = "search/"  # the folder of the index


class LargeEditError(Exception):
    """More has changed than an ``Edit`` can tell: everything is to be built. It says what."""


@dataclass(frozen=True)
class Renewed:
    """A page that is made again: its staged file and its twin; ``page`` is without its text."""

    page: Page
    source: bytes
    twin: bytes


class NotesEdit:
    """``changed`` are the texts, below ``notes``, that differ from the whole build ``left``."""

    def __init__(
        self, left: Left, notes: Path, changed: Collection[str], memo: Memo | None = None
    ) -> None:
        self.left = left
        self._memo = memo or Memo()
        self._changed = changed
        self._notes = notes

    @cached_property
    def before(self) -> Site:
        """The site of the whole build."""
        left = self.left
        return Site(left.graph, left.settings, left.history, coverages_before=left.coverages)

    @cached_property
    def site(self) -> Site:
        """The site as it is now. Raises LargeEditError."""
        old = self.left.graph
        files = [self._notes / path for path in self._changed]
        library = read_again(old.library, files, Memo())
        if library is None:
            raise LargeEditError("more than the text of notes, or a heading of a translated one")
        graph = link(library, old)
        if graph.resolver is not old.resolver:
            raise LargeEditError("something that links lead to")
        left = self.left
        site = Site(graph, left.settings, left.history, self._memo, coverages_before=left.coverages)
        for path, links in self._links(old):
            now = graph.links[path]
            for what, of in self._fixed.items():
                if of(links) != of(now):
                    raise LargeEditError(f"{what} of {path}")
        return site

    @cached_property
    def _terms(self) -> dict[str, TermFinder]:
        terms = self.left.graph.library.terms.values()
        return {lang: TermFinder(terms, lang) for lang in ("en", "zh")}

    @property
    def _fixed(self) -> dict[str, Callable[[Links], object]]:
        """What of a text must be the same: pages show it that ``ChangedTexts`` does not name."""
        return {
            "the notes and references": lambda links: [
                edge.target for edge in (*links.edges, *links.citing)
            ],
            "the headings": lambda links: [
                (section.level, section.id, section.title) for section in links.text.body.sections
            ],
            "the glossary terms": lambda links: {
                use.term
                for use in self._terms[links.text.lang].first_uses(links.text.body.document)
            },
        }

    def _links(self, graph: Graph) -> Iterator[tuple[str, Links]]:
        """The texts that differ now, by path."""
        for path in self._changed:
            yield f"notes/{path}", graph.links[f"notes/{path}"]

    def differences(self, site: Site) -> ChangedTexts:
        """What differs from the whole build."""
        notes, quoted, sized = set(), set(), set()
        for path, old in self._links(self.left.graph):
            now = site.graph.links[path]
            notes.add(now.text.id)
            if self._size(self.before, old) != self._size(site, now):
                sized.add(now.text.id)
            for was, edge in zip(_edges(old), _edges(now), strict=True):
                if was.sentence != edge.sentence:
                    quoted.add(edge.target)
        return ChangedTexts(frozenset(notes), frozenset(quoted), frozenset(sized))

    def _size(self, site: Site, links: Links) -> object:
        coverage = site.coverages.get(links.text.path)
        return links.text.body.minutes, share(coverage.judged) if coverage else None

    def pages(self, site: Site, changed: ChangedTexts) -> dict[str, Renewed]:
        """The pages that may show what has ``changed``, by staged path. Raises LargeEditError."""
        new = self.added(site)
        found: dict[str, Renewed] = {}
        for kind in with_function("pages_showing"):
            for page in kind.pages_showing(site, changed):
                path = markdown_file(page.url)
                if page.url in new:
                    if path in self.left.staged or f"{page.url}index.html" in self.left.staged:
                        raise LargeEditError(f"/{page.url} takes the place of a file")
                elif path not in self.left.staged:
                    raise LargeEditError(f"/{page.url} had no place of its own")
                if page.files != self.left.pages.get(path, NOTHING).files:
                    raise LargeEditError(f"the files that /{page.url} shows")
                source, twin = page_source(site, page), page.twin.encode()
                found[path] = Renewed(replace(page, body="", twin=""), source, twin)
        if any(markdown_file(url) not in found for url in new):
            raise LargeEditError("a page that no kind of page names")
        return found

    def addresses(self, site: Site) -> set[str]:
        """The addresses of all pages of this site, or of the one before."""
        return set(self._ordered(site))

    def _ordered(self, site: Site) -> list[str]:
        known = self._addresses.get(id(site))
        if known is None:
            known = self._addresses[id(site)] = [page.url for page in page_addresses(site)]
        return known

    @cached_property
    def _addresses(self) -> dict[int, list[str]]:
        return {}

    def added(self, site: Site) -> set[str]:
        """The addresses of the pages that the whole build did not have."""
        return self.addresses(site) - self.addresses(self.before)

    def gone(self, site: Site) -> set[str]:
        """The addresses of the pages of the whole build that are no more."""
        return self.addresses(self.before) - self.addresses(site)

    def listings(
        self, site: Site, pages: dict[str, Renewed], rows: Callable[[], list[Page]]
    ) -> Iterator[tuple[str, bytes]]:
        """The files that list pages, where pages came or went; ``rows`` gives those of before."""
        if self.addresses(site) == self.addresses(self.before):
            return
        by_url = {page.url: page for page in rows()}
        by_url |= {renewed.page.url: row(renewed.page) for renewed in pages.values()}
        listed = [by_url[url] for url in dict.fromkeys(self._ordered(site)) if url in by_url]
        for kind in with_function("listings"):
            yield from kind.listings(site, listed)

    def index(self, site: Site) -> Difference:
        """What is different in the search index. Raises LargeEditError."""
        shards = self.left.shards
        staged = self.left.staged
        for name, content in shards.named().items():
            if staged.get(f"{INDEX_FOLDER}{name}") != content:
                raise LargeEditError("another file has the place of one of the search index")
        changes = [
            (document_of(self.before, links.text), document_of(site, site.graph.links[path].text))
            for path, links in self._links(self.left.graph)
        ]
        found = shards.update(changes)
        if found is None:
            raise LargeEditError("the words of titles and headings")
        return found


def _edges(links: Links) -> Iterator[Edge]:
    yield from links.edges
    yield from links.citing
