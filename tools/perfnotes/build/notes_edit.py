"""What is different after an edit of the text of notes.

No other page can show more of a text than ``ChangedTexts`` says. So the kinds of pages tell which
of their pages may come out different, and only these pages are staged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from perfnotes.build.build_record import (
    BuildRecord,
    Made,
    row,
)
from perfnotes.build.edit import NOTHING, Edit, LargeEditError, Renewed
from perfnotes.checks import examine, examine_texts
from perfnotes.graph.address import markdown_file
from perfnotes.graph.coverage import share
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.graph import Graph, link
from perfnotes.graph.links import Edge, Links
from perfnotes.graph.site import Site
from perfnotes.graph.tools import uses_in
from perfnotes.search.document import SearchDocument
from perfnotes.site.page_addresses import page_addresses
from perfnotes.site.pages import with_function
from perfnotes.site.pages._changed import ChangedTexts
from perfnotes.site.searchable.documents import documents_of
from perfnotes.site.stage import page_source
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.reread import read_again
from perfnotes.text.findings import Finding


class NotesEdit(Edit):
    """An edit of the ``texts``, paths below ``notes``, that differ from the whole build."""

    def __init__(
        self, before: BuildRecord, notes: Path, texts: Collection[str], memo: Memo | None = None
    ) -> None:
        super().__init__(before)
        self._memo = memo or Memo()
        self._texts = texts
        self._notes = notes

    @cached_property
    def _site_before(self) -> Site:
        """The site of the whole build."""
        linked = self.before.linked
        return Site(
            linked.graph,
            self.before.summary.settings,
            linked.history,
            coverages_before=linked.coverages,
        )

    @cached_property
    def site(self) -> Site:
        linked = self.before.linked
        old = linked.graph
        files = [self._notes / path for path in self._texts]
        library = read_again(old.library, files, Memo())
        if library is None:
            raise LargeEditError("more than the text of notes, or a heading of a translated one")
        graph = link(library, old)
        if graph.resolver is not old.resolver:
            raise LargeEditError("something that links lead to")
        site = Site(
            graph,
            self.before.summary.settings,
            linked.history,
            self._memo,
            coverages_before=linked.coverages,
        )
        for path, links in self._links(old):
            now = graph.links[path]
            for what, of in _fixed(site).items():
                if of(links) != of(now):
                    raise LargeEditError(f"{what} of {path}")
        return site

    def _links(self, graph: Graph) -> Iterator[tuple[str, Links]]:
        """The texts that differ now, by path."""
        for path in self._texts:
            yield f"notes/{path}", graph.links[f"notes/{path}"]

    @cached_property
    def changed(self) -> ChangedTexts:  # type: ignore[override]
        """What of the texts differs from the whole build."""
        site = self.site
        notes, quoted, sized = set(), set(), set()
        for path, old in self._links(self.before.linked.graph):
            now = site.graph.links[path]
            notes.add(now.text.id)
            if self._size(self._site_before, old) != self._size(site, now):
                sized.add(now.text.id)
            for was, edge in zip(_edges(old), _edges(now), strict=True):
                if _shown(old, was) != _shown(now, edge):
                    quoted.add(edge.target)
        return ChangedTexts(frozenset(notes), frozenset(quoted), frozenset(sized))

    def _size(self, site: Site, links: Links) -> object:
        coverage = site.coverages.get(links.text.path)
        return links.text.body.minutes, share(coverage.judged) if coverage else None

    def pages(self, changed: ChangedTexts) -> dict[str, Renewed]:
        before, new = self.before.summary, self.added()
        found: dict[str, Renewed] = {}
        for kind in with_function("pages_showing"):
            for page in kind.pages_showing(self.site, self.changed | changed):
                path = markdown_file(page.url)
                if page.url in new:
                    if path in before.staged or f"{page.url}index.html" in before.staged:
                        raise LargeEditError(f"/{page.url} takes the place of a file")
                elif path not in before.staged:
                    raise LargeEditError(f"/{page.url} had no place of its own")
                if page.files != before.pages.get(path, NOTHING).files:
                    raise LargeEditError(f"the files that /{page.url} shows")
                source, twin = page_source(self.site, page), page.twin.encode()
                found[path] = Renewed(replace(page, body="", twin=""), source, twin)
        if any(markdown_file(url) not in found for url in new):
            raise LargeEditError("a page that no kind of page names")
        return found

    @cached_property
    def _addresses(self) -> list[str]:
        return list(dict.fromkeys(page.url for page in page_addresses(self.site)))

    def addresses(self) -> list[str]:
        return self._addresses

    def files(self, pages: dict[str, Renewed]) -> Iterator[tuple[str, bytes]]:
        """The files that list pages, where pages came or went."""
        if not self.added() and not self.gone():
            return
        by_url = {page.url: page for page in self.before.rows}
        by_url |= {renewed.page.url: row(renewed.page) for renewed in pages.values()}
        listed = [by_url[url] for url in self._addresses if url in by_url]
        for kind in with_function("listings"):
            yield from kind.listings(self.site, listed)

    def documents(self) -> list[SearchDocument]:
        changed = [
            document
            for path, _ in self._links(self.before.linked.graph)
            for document in documents_of(self.site, self.site.graph.links[path].text)
        ]
        found = self.before.shards.replaced(changed)
        if found is None:
            raise LargeEditError("what the search finds")
        return found

    def findings(self, stale: Collection[Renewed]) -> list[Finding]:
        before = self.before.summary
        made = {**before.pages}
        for renewed in stale:
            page = renewed.page
            made[markdown_file(page.url)] = Made(page.files, tuple(page.findings))
        for url in self.gone():
            made.pop(markdown_file(url), None)
        of_pages = [f for each in made.values() for f in (*each.findings, *each.dangers)]
        in_texts = {**before.in_texts}
        again = [*self._texts_to_examine()]
        for path in again:
            in_texts.pop(path, None)
        in_texts |= examine_texts(self.site, again)
        return examine(self.site, before.findings + of_pages, in_texts)

    def _texts_to_examine(self) -> Iterator[str]:
        """Yield the paths of the texts that differ, and of their translations and originals."""
        ids = {links.text.id for _, links in self._links(self.site.graph)}
        for path, links in self.site.graph.links.items():
            if links.text.kind == "note" and links.text.id in ids:
                yield path


def _fixed(site: Site) -> dict[str, Callable[[Links], object]]:
    """What of a text must be the same: pages show it that ``ChangedTexts`` does not name."""
    return {
        "the notes and references": lambda links: [
            edge.target for edge in (*links.edges, *links.citing)
        ],
        "the headings": lambda links: [
            (section.level, section.id, section.title) for section in links.text.body.sections
        ],
        "the things to try": lambda links: [
            (each.name, each.problem) for each in placed_explorables(links, site.graph.evidence)
        ],
        "the tools": lambda links: uses_in(links.text, site.library.tools.by_id),
        "the glossary terms": lambda links: {
            use.term
            for use in site.term_finders[links.text.lang].first_uses(links.text.body.document)
        },
    }


def _shown(links: Links, edge: Edge) -> tuple[str, str]:
    """What the page of an edge's target shows of it: the sentence, and the section it stands in."""
    section = links.text.body.section_at(edge.offset)
    return edge.sentence, section.id if section else ""


def _edges(links: Links) -> Iterator[Edge]:
    yield from links.edges
    yield from links.citing
