"""An Edit: what is different after some notes have changed since the last whole build.

Where nothing but the text of notes has changed, and what other pages show of these notes has not,
their own pages are made again, the few that look into every text, and a part of the index. What
these need of the other notes is what that build left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from perfnotes.build.build_record import Left, Made
from perfnotes.graph.address import markdown_file
from perfnotes.graph.coverage import share
from perfnotes.graph.graph import Graph, Links, link
from perfnotes.graph.site import Site
from perfnotes.graph.termuses import TermFinder
from perfnotes.search.shards import Difference
from perfnotes.site.page import Page
from perfnotes.site.pages import with_function
from perfnotes.site.searchable.documents import document_of
from perfnotes.site.stage import page_source
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.reread import read_again

NOTHING = Made()
INDEX_FOLDER = "search/"  # the folder of the index


@dataclass(frozen=True)
class Renewed:
    """A page that is made again: its staged file and its twin; ``page`` is without its text."""

    page: Page
    source: bytes
    twin: bytes


class Edit:
    """``changed`` are the texts, below ``notes``, that are others than in the build that ``left``
    this; ``also`` are those whose pages stand as they were not then."""

    def __init__(self, left: Left, notes: Path, changed: Collection[str], also: Collection[str]):
        self.left = left
        self._changed = changed
        self._also = also
        self._notes = notes

    @cached_property
    def before(self) -> Site:
        return Site(self.left.graph, self.left.settings, self.left.history)

    @cached_property
    def site(self) -> Site | None:
        """The site as it is now; None where more than these pages would be others."""
        old = self.left.graph
        files = [self._notes / path for path in self._changed]
        library = read_again(old.library, files, Memo())
        if library is None:
            return None
        graph = link(library, old)
        if graph.resolver is not old.resolver:
            return None
        site = Site(graph, self.left.settings, self.left.history)
        for path, links in self._links(old):
            if self._face(self.before, links) != self._face(site, graph.links[path]):
                return None
        for id, twin in old.library.translations.items():
            now = library.translations[id]
            if now is not twin and now.is_behind != twin.is_behind:
                return None
        return site

    @cached_property
    def _terms(self) -> dict[str, TermFinder]:
        terms = self.left.graph.library.terms.values()
        return {lang: TermFinder(terms, lang) for lang in ("en", "zh")}

    def _face(self, site: Site, links: Links) -> tuple[object, ...]:
        """All that other pages show of a text, but those that look into it."""
        body = links.text.body
        coverage = site.coverages.get(links.text.path)
        return (
            [(edge.target, edge.sentence) for edge in (*links.edges, *links.citing)],
            [(section.level, section.id, section.title) for section in body.sections],
            [use.term for use in self._terms[links.text.lang].first_uses(body.document)],
            share(coverage.judged) if coverage else None,
            body.minutes,
        )

    def _links(self, graph: Graph) -> Iterator[tuple[str, Links]]:
        for path in self._changed:
            yield f"notes/{path}", graph.links[f"notes/{path}"]

    def pages(self, site: Site) -> dict[str, Renewed] | None:
        """The pages to make, by staged path."""
        found: dict[str, Renewed] = {}
        for page in self._candidates(site):
            path = markdown_file(page.url)
            known = self.left.pages.get(path, NOTHING)
            if path not in self.left.staged or page.files != known.files:
                return None
            source, twin = page_source(site, page), page.twin.encode()
            found[path] = Renewed(replace(page, body="", twin=""), source, twin)
        return found

    def _candidates(self, site: Site) -> Iterator[Page]:
        paths = {f"notes/{path}" for path in (*self._changed, *self._also)}
        ids = {links.text.id for path, links in site.graph.links.items() if path in paths}
        for links in site.graph.links.values():
            if links.text.kind == "note" and links.text.id in ids:
                for kind in with_function("page_of"):
                    yield from kind.page_of(site, links.text)
        for kind in with_function("pages"):
            if getattr(kind, "LOOKS_INTO_TEXTS", False):
                for lang in site.library.languages:
                    yield from kind.pages(site, lang)

    def index(self, site: Site) -> Difference | None:
        """What is different in the index; None where it is to be made as a whole."""
        shards = self.left.shards
        staged = self.left.staged
        for name, content in shards.named().items():
            if staged.get(f"{INDEX_FOLDER}{name}") != content:
                return None  # another file has its place
        changes = [
            (document_of(self.before, links.text), document_of(site, site.graph.links[path].text))
            for path, links in self._links(self.left.graph)
        ]
        return shards.update(changes)
