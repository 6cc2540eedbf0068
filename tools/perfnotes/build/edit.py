"""What is different after an edit, compared with the last whole build.

There are two ways to find out. ``NotesEdit`` is for edits of the text of notes. No other page can
show more of a text than ``ChangedTexts`` says, so the kinds of pages tell which of their pages may
come out different, and only these pages are staged. ``AnyEdit`` is for all else: everything is read
and staged again and compared with the digests that were stored. In both, only the pages that are
different are rendered, and only a part of the search index is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from perfnotes.build.build_record import (
    BuildRecord,
    Made,
    RecordParts,
    Summary,
    made_of,
    row,
    topics_shown,
)
from perfnotes.checks import FindingsByText, examine, examine_texts
from perfnotes.graph.address import markdown_file
from perfnotes.graph.coverage import share
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.graph import Edge, Graph, Links, link
from perfnotes.graph.site import Settings, Site
from perfnotes.graph.tools import uses_in
from perfnotes.search.document import SearchDocument
from perfnotes.search.shards import Difference
from perfnotes.site.page import Page
from perfnotes.site.page_addresses import page_addresses
from perfnotes.site.pages import with_function
from perfnotes.site.pages._changed import ChangedTexts
from perfnotes.site.searchable.documents import documents, documents_of
from perfnotes.site.stage import Stage, page_source, stage_files, staged_pages
from perfnotes.source.inputs import Inputs
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.reread import read_again
from perfnotes.storage.digests import content_digest
from perfnotes.text.findings import Finding

NOTHING = Made()
INDEX_FOLDER = "search/"  # the folder of the index


class LargeEditError(Exception):
    """More has changed than an edit can tell: everything is to be built. It says what."""


@dataclass(frozen=True)
class Renewed:
    """A page that is made again: its staged file and its twin; ``page`` is without its text."""

    page: Page
    source: bytes
    twin: bytes


@dataclass(frozen=True)
class Rebuilt:
    """A site after an edit.

    ``staged`` and ``files`` are digests by path, of the staged files and of all files of the site;
    ``dangers`` are the findings in the HTML of pages, by staged path.
    """

    inputs: Inputs
    staged: dict[str, str]
    files: dict[str, str]
    dangers: dict[str, list[Finding]]
    missing: str  # what git could not tell


class Edit(ABC):
    """What differs from the whole build ``before``. Each method may raise LargeEditError."""

    changed = ChangedTexts(frozenset(), frozenset(), frozenset())

    def __init__(self, before: BuildRecord) -> None:
        self.before = before

    @property
    @abstractmethod
    def site(self) -> Site:
        """The site as it is now."""

    @abstractmethod
    def pages(self, changed: ChangedTexts) -> dict[str, Renewed]:
        """The pages that may be different, by staged path.

        ``changed`` is what differed after the edits of earlier builds.
        """

    @abstractmethod
    def addresses(self) -> list[str]:
        """The addresses of all pages, in the order of the build."""

    def added(self) -> set[str]:
        """The addresses of the pages that the whole build did not have."""
        return {*self.addresses()} - {*self.before.summary.addresses}

    def gone(self) -> set[str]:
        """The addresses of the pages of the whole build that are no more."""
        return {*self.before.summary.addresses} - {*self.addresses()}

    @abstractmethod
    def files(self, pages: dict[str, Renewed]) -> Iterator[tuple[str, bytes]]:
        """The other files that may be different, except those of the search index."""

    def gone_files(self) -> set[str]:
        """The paths of other staged files of the whole build that are no more."""
        return set()

    @abstractmethod
    def documents(self) -> list[SearchDocument]:
        """What the search finds now."""

    def index(self) -> Difference:
        """What is different in the search index."""
        shards, staged = self.before.shards, self.before.summary.staged
        for name, content in shards.by_file.items():
            if staged.get(f"{INDEX_FOLDER}{name}") != content:
                raise LargeEditError("another file has the place of one of the search index")
        return shards.update(self.documents())

    @abstractmethod
    def findings(self, stale: Collection[Renewed]) -> list[Finding]:
        """All findings but what is dangerous in the ``stale`` pages, which are made again."""

    def record(self, done: Rebuilt) -> RecordParts | None:
        """What the next build is to compare with instead of ``before``, if it is another."""
        del done
        return None


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


class AnyEdit(Edit):
    """An edit of anything but the settings, the theme and the program.

    ``read`` reads and links everything, with the settings of the whole build.
    """

    def __init__(self, before: BuildRecord, read: Callable[[Settings], Site]) -> None:
        super().__init__(before)
        self._read = read
        self._stage = Stage()
        self._in_texts: FindingsByText = {}

    @cached_property
    def site(self) -> Site:
        return self._read(self.before.summary.settings)

    def pages(self, changed: ChangedTexts) -> dict[str, Renewed]:
        """Only those that are different, and those in which something dangerous was found."""
        del changed
        before, stage = self.before.summary, self._stage
        found: dict[str, Renewed] = {}
        for page, source, twin in staged_pages(self.site, stage.findings):
            path = markdown_file(page.url)
            stage.pages[path] = page
            stage.dropped[path] = content = content_digest(source)
            known = (
                before.staged.get(path) == content and not before.pages.get(path, NOTHING).dangers
            )
            if not known or before.files.get(path) != content_digest(twin):
                found[path] = Renewed(page, source, twin)
        if topics_shown(stage.pages.values()) != before.topics:
            raise LargeEditError("the list of topics")
        return found

    def addresses(self) -> list[str]:
        return [page.url for page in self._stage.pages.values()]

    def files(self, pages: dict[str, Renewed]) -> Iterator[tuple[str, bytes]]:
        del pages
        stage_files(self.site, self._stage, index=False)
        yield from self._stage.files.items()

    def gone_files(self) -> set[str]:
        stage, before = self._stage, self.before
        index = {f"{INDEX_FOLDER}{name}" for name in before.shards.by_file}
        there = stage.files.keys() | stage.dropped.keys() | {f"{INDEX_FOLDER}root.js"} | index
        if index & stage.files.keys():
            raise LargeEditError("a file in the place of the search index")
        return before.summary.staged.keys() - there

    def documents(self) -> list[SearchDocument]:
        return list(documents(self.site))

    def findings(self, stale: Collection[Renewed]) -> list[Finding]:
        del stale
        self._in_texts = examine_texts(self.site)
        return examine(self.site, self._stage.findings, self._in_texts)

    def record(self, done: Rebuilt) -> RecordParts:
        pages = self._stage.pages
        before = self.before.summary
        own = {f for page in pages.values() for f in page.findings}
        summary = Summary(
            settings=before.settings,
            staged=done.staged,
            pages=made_of(pages, done.dangers),
            findings=[f for f in self._stage.findings if f not in own],
            in_texts=self._in_texts,
            maker=before.maker,
            missing=done.missing,
            files=done.files,
            topics=before.topics,
            addresses=self.addresses(),
        )
        return RecordParts(
            done.inputs, summary, self.site, self.before.shards, [*map(row, pages.values())]
        )


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
