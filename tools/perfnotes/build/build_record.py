"""What a whole build stores, so that a build after an edit can make what is different alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from msgspec import Struct, field

from perfnotes.build.record_rows import (
    REVIEW,
    TEXT,
    Fields,
    RecordError,
    RecordRows,
    StoredRow,
    review_fields,
    size_of,
    text_fields,
)
from perfnotes.build.up_to_date import copy_site, note_inputs
from perfnotes.checks import FindingsByText
from perfnotes.graph.coverage import Coverage
from perfnotes.graph.graph import Graph
from perfnotes.graph.site import Settings, Site
from perfnotes.search.shards import Shards
from perfnotes.site.page import Page
from perfnotes.site.page_plan import Name
from perfnotes.source.history import History
from perfnotes.source.inputs import Inputs
from perfnotes.source.read.memo import InMemory
from perfnotes.storage.codec import RECORD
from perfnotes.storage.digests import digest
from perfnotes.storage.store import Store
from perfnotes.text.findings import Finding

_LARGEST = 100_000_000  # characters of all notes: the record of more fills the store
Part = TypeVar("Part")
_SECTION = "record"
_SUMMARY, _LINKED, _SHARDS, _ROWS = "summary", "linked", "shards", "rows"
_LATER = "later"


class Made(Struct, frozen=True):
    """What a page has beside its staged file: the ``files`` that it shows, and its findings.

    ``dangers`` are the findings of its HTML.
    """

    files: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    dangers: tuple[Finding, ...] = ()


class Summary(Struct):
    """A whole build in digests and findings.

    ``staged`` are the digests of the staged files except those that are made from the digests of
    all others; ``pages`` are by staged path; ``by_kind`` are the paths of other staged files by the
    kind of pages that they belong to; ``findings`` are those that belong to no page;
    ``in_texts`` is what the checks found in each text by itself; ``maker`` is the digest of
    settings, templates and tools; ``missing`` is what git could not tell; ``files`` are the digests
    of the site's files by path; ``topics`` is a digest of the topics that the page for missing
    addresses shows.
    """

    settings: Settings
    staged: dict[str, str]
    pages: dict[str, Made]
    by_kind: dict[str, list[str]]
    findings: list[Finding]
    in_texts: FindingsByText
    maker: str
    missing: str
    files: dict[str, str]
    topics: str
    addresses: list[str]  # of the pages, in the order of the build


class Linked(Struct):
    """The linked notes of a build, what was read for them, and what was computed of them.

    ``texts`` and ``reviews`` are the rows with what is left out of them, by their paths.
    """

    graph: Graph
    read: InMemory
    coverages: Mapping[str, Coverage]
    history: History
    texts: dict[str, StoredRow]
    reviews: dict[str, StoredRow]


class LaterPage(Struct, frozen=True):
    """A page that was staged after the whole build: without its text, but with its digests.

    ``shows`` is that of ``StalePage``. ``staged``, ``twin`` and ``html`` are the digests of its
    staged file, its twin and the finished page. ``dangers`` are the findings in its HTML.
    """

    page: Page
    shows: str
    staged: str
    twin: str
    html: str
    dangers: tuple[Finding, ...]


class LaterEdits(Struct):
    """What builds after edits have staged since the whole build.

    ``names`` say what differs from the whole build, as ``changed_values`` returns it; ``pages`` are
    by staged path. ``gone`` are the addresses of pages that only the whole build had. ``kept`` is
    how many pages the builds after edits did not stage again, all of these builds together.
    ``record`` is the stamp of the whole build. ``mark`` is also written down with the site that the
    last build made, so that the two are used together only.
    """

    record: bytes = b""
    mark: str = ""
    names: dict[Name, str] = field(default_factory=dict)
    pages: dict[str, LaterPage] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    kept: int = 0

    def put(self, store: Store, name: str) -> str:
        """Put it into ``store``, which the caller saves, for the site ``name``; return ``mark``."""
        store.section(_SECTION, RECORD).put(f"{_LATER} {name}", self)
        return self.mark


class BuildRecord:
    """A whole build, as the next one needs it. The large parts are read when they are asked for.

    ``mark`` is what is written down with the site: only LaterEdits with this mark led to that site.
    Raises RecordError where a part cannot be read.
    """

    def __init__(self, store: Store, name: str, mark: str = "") -> None:
        self._section, self._name, self._mark = store.section(_SECTION, RECORD), name, mark
        self._stamp = b""  # the same for all parts of one build

    @cached_property
    def summary(self) -> Summary:
        return self._part(_SUMMARY, Summary)

    @cached_property
    def linked(self) -> Linked:
        linked = self._part(_LINKED, Linked)
        rows = RecordRows(self._section, self._name)
        rows.load_fields_later(TEXT, _texts(linked.graph), linked.texts)
        rows.load_fields_later(REVIEW, _reviews(linked.graph), linked.reviews)
        return linked

    @cached_property
    def shards(self) -> Shards:
        shards = self._part(_SHARDS, Shards)
        RecordRows(self._section, self._name).load_blocks_later(shards)
        return shards

    @cached_property
    def rows(self) -> list[Page]:
        """Every page as lists of pages need it, in the order of the build."""
        return self._part(_ROWS, list)

    @cached_property
    def later(self) -> LaterEdits:
        """What was staged for the site that stands, besides the whole build."""
        self.summary  # noqa: B018 - the stamp is read with it
        stored = self._section.get(f"{_LATER} {self._name}") if self._mark else None
        if isinstance(stored, LaterEdits) and (stored.record, stored.mark) == (
            self._stamp,
            self._mark,
        ):
            return stored
        return LaterEdits(self._stamp)

    def _part(self, name: str, kind: type[Part]) -> Part:
        stored = self._section.get(f"{name} {self._name}")
        if not stored or not isinstance(stored[1], kind):
            raise RecordError
        self._stamp = self._stamp or stored[0]
        if stored[0] != self._stamp:  # another build has stored its own meanwhile
            raise RecordError
        return stored[1]


class RecordParts(Struct):
    """All parts of a record, to be stored."""

    inputs: Inputs
    summary: Summary
    site: Site
    read: InMemory
    shards: Shards
    rows: list[Page]

    def store(self, store: Store, name: str) -> None:
        """Store it for the next build of the site ``name``, if reading it will be worth while."""
        site, graph = self.site, self.site.graph
        size = sum(size_of(links.text.body) for links in graph.links.values())
        if size > _LARGEST or not self.summary.maker:
            return
        section, stamp = store.section(_SECTION, RECORD), os.urandom(8)
        rows = RecordRows(section, name)
        try:
            with (
                rows.fields_apart(TEXT, _texts(graph)) as texts,
                rows.fields_apart(REVIEW, _reviews(graph)) as reviews,
            ):
                linked = Linked(graph, self.read, site.coverages, site.history, texts, reviews)
                section.put(f"{_LINKED} {name}", (stamp, linked))
            section.put(f"{_SHARDS} {name}", (stamp, rows.blocks_apart(self.shards)))
        except RecordError:  # another build has stored its own meanwhile
            return
        section.put(f"{_SUMMARY} {name}", (stamp, self.summary))
        section.put(f"{_ROWS} {name}", (stamp, self.rows))
        note_inputs(store, name, self.inputs)
        store.save()


def copy_record(store: Store, name: str, to: str) -> None:
    """Let the next build of the site ``to`` go on from what is stored of the site ``name``."""
    copy_site(store, name, to)
    section = store.section(_SECTION, RECORD)
    for part in (_SUMMARY, _LINKED, _SHARDS, _ROWS, _LATER):
        section.copy(f"{part} {name}", f"{part} {to}")
    RecordRows(section, name).copy(to)


def _texts(graph: Graph) -> dict[str, Fields]:
    return {path: text_fields(links.text.body) for path, links in graph.links.items()}


def _reviews(graph: Graph) -> dict[str, Fields]:
    return {path: review_fields(review) for path, review in graph.library.reviews.items()}


def made_of(pages: Mapping[str, Page], dangers: Mapping[str, Sequence[Finding]]) -> dict[str, Made]:
    """Return what pages have beside their staged files, for those that have anything.

    ``pages`` and ``dangers`` are by staged path.
    """
    return {
        path: Made(page.files, tuple(page.findings), tuple(dangers.get(path, ())))
        for path, page in pages.items()
        if page.files or page.findings or dangers.get(path)
    }


def row(page: Page) -> Page:
    """Return a page as lists of pages need it: its address, title, note and languages."""
    return Page(
        page.url, page.lang, page.title, "", "",
        kind=page.kind, note=page.note, alternates=page.alternates,
    )  # fmt: skip


def topics_shown(pages: Iterable[Page]) -> str:
    """Return a digest of the topics as the page for missing addresses lists them."""
    return digest(*(f"{page.url}\n{page.title}" for page in pages if page.kind == "topic"))
