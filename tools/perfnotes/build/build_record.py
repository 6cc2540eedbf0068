"""The record of a whole build, by which a build after an edit makes only what is different.

``BuildSummary`` has digests and findings, ``LinkedNotes`` the notes as objects, and there are the
search index and a list of all pages. Builds after edits leave this record as it is and store
``LaterEdits`` beside it: what they found different from it, and the pages that they staged.
"""

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
from perfnotes.build.up_to_date import copy_site_state, store_inputs
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

_LARGEST = 100_000_000  # characters of all notes: a record of more would fill the store
Part = TypeVar("Part")
_SECTION = "record"
# The parts of a record, which are read one by one.
_SUMMARY, _LINKED, _SHARDS, _PAGES = "summary", "linked", "shards", "pages"
_LATER = "later"


class PageSummary(Struct, frozen=True):
    """What a record says of a page: the ``files`` that it shows, and its findings.

    ``findings`` come from staging the page, ``dangers`` from judging its HTML.
    """

    files: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    dangers: tuple[Finding, ...] = ()


class BuildSummary(Struct):
    """A whole build in digests and findings."""

    settings: Settings
    # Digests of staged files by path, without those that ``closings`` of page kinds make.
    staged: dict[str, str]
    # The pages by staged path, without those that have neither files nor findings.
    pages: dict[str, PageSummary]
    by_kind: dict[str, list[str]]  # paths of staged files that are no pages, by the kind of page
    # The findings that belong to no page.
    findings: list[Finding]
    in_texts: FindingsByText  # what the checks found in each text by itself
    toolchain: str  # digest of settings, templates and tools
    missing: str  # a message about what git could not tell
    files: dict[str, str]  # digests of the site's files by path
    topics: str  # digest of the topics that the page for missing addresses (404.html) lists
    # The addresses of the pages, in the order of the build.
    addresses: list[str]


class LinkedNotes(Struct):
    """The linked notes of a build, what was read for them, and what was computed from them.

    The graph is stored without its texts and reviews. ``texts`` and ``reviews`` say in which rows
    those are, by path.
    """

    graph: Graph
    library_memo: InMemory
    coverages: Mapping[str, Coverage]
    history: History
    texts: dict[str, StoredRow]
    reviews: dict[str, StoredRow]


class LaterPage(Struct, frozen=True):
    """A page that was staged after the whole build; ``page`` is without its text.

    ``shows`` is that of ``StalePage``. ``staged``, ``markdown`` and ``html`` are the digests of the
    page's staged file, its Markdown copy and the finished page. ``dangers`` are the findings in its
    HTML.
    """

    page: Page
    shows: str
    staged: str
    markdown: str
    html: str
    dangers: tuple[Finding, ...]


class LaterEdits(Struct):
    """What builds after edits have staged since the whole build.

    ``record_stamp`` is the stamp of that build's record. ``mark`` is also stored with the state of
    the site (``SiteState``). If the stamps or the marks differ, these edits did not lead from that
    record to that site and are not used.
    """

    record_stamp: bytes = b""
    mark: str = ""
    names: dict[Name, str] = field(default_factory=dict)  # what differs, as by ``changed_values``
    pages: dict[str, LaterPage] = field(default_factory=dict)  # by staged path
    gone: set[str] = field(default_factory=set)  # addresses of pages that only the whole build had
    kept: int = 0  # pages that builds after edits did not stage again, summed over these builds

    def put(self, store: Store, name: str) -> str:
        """Put this into ``store`` for the site ``name`` and return the mark. The caller saves."""
        store.section(_SECTION, RECORD).put(f"{_LATER} {name}", self)
        return self.mark


class BuildRecord:
    """The stored record of the site ``name``. Each part is read when it is first asked for.

    ``mark`` is that of the site's state: only LaterEdits with this mark led to the site. Every
    property raises RecordError if its part cannot be used.
    """

    def __init__(self, store: Store, name: str, mark: str = "") -> None:
        self._section, self._name, self._mark = store.section(_SECTION, RECORD), name, mark
        self._stamp = b""  # random bytes, the same in all parts of one record

    @cached_property
    def summary(self) -> BuildSummary:
        return self._part(_SUMMARY, BuildSummary)

    @cached_property
    def linked(self) -> LinkedNotes:
        linked = self._part(_LINKED, LinkedNotes)
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
    def list_entries(self) -> list[Page]:
        """Every page as ``list_entry`` returns it, in the order of the build."""
        return self._part(_PAGES, list)

    @cached_property
    def later(self) -> LaterEdits:
        """What earlier edits have staged, or nothing if they did not lead to the present site."""
        self.summary  # noqa: B018 - reading it sets the stamp
        stored = self._section.get(f"{_LATER} {self._name}") if self._mark else None
        if isinstance(stored, LaterEdits) and (stored.record_stamp, stored.mark) == (
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
        if stored[0] != self._stamp:  # meanwhile another build has stored its record
            raise RecordError
        return stored[1]


class RecordParts(Struct):
    """All parts of a record that is to be stored; ``inputs`` is what the site was made from."""

    inputs: Inputs
    summary: BuildSummary
    site: Site
    library_memo: InMemory
    shards: Shards
    list_entries: list[Page]

    def store(self, store: Store, name: str) -> None:
        """Store the record for the next build of the site ``name``.

        Nothing is stored if the notes are too large, or if the toolchain has no digest.
        """
        site, graph = self.site, self.site.graph
        size = sum(size_of(links.text.body) for links in graph.links.values())
        if size > _LARGEST or not self.summary.toolchain:
            return
        section, stamp = store.section(_SECTION, RECORD), os.urandom(8)
        rows = RecordRows(section, name)
        try:
            with (
                rows.without_fields(TEXT, _texts(graph)) as texts,
                rows.without_fields(REVIEW, _reviews(graph)) as reviews,
            ):
                linked = LinkedNotes(
                    graph, self.library_memo, site.coverages, site.history, texts, reviews
                )
                section.put(f"{_LINKED} {name}", (stamp, linked))
            section.put(f"{_SHARDS} {name}", (stamp, rows.without_blocks(self.shards)))
        except RecordError:  # meanwhile another build has stored its record
            return
        section.put(f"{_SUMMARY} {name}", (stamp, self.summary))
        section.put(f"{_PAGES} {name}", (stamp, self.list_entries))
        store_inputs(store, name, self.inputs)
        store.save()


def copy_record(store: Store, name: str, to: str) -> None:
    """Let the next build of the site ``to`` go on from the record and state of ``name``."""
    copy_site_state(store, name, to)
    section = store.section(_SECTION, RECORD)
    for part in (_SUMMARY, _LINKED, _SHARDS, _PAGES, _LATER):
        section.copy(f"{part} {name}", f"{part} {to}")
    RecordRows(section, name).copy(to)


def _texts(graph: Graph) -> dict[str, Fields]:
    return {path: text_fields(links.text.body) for path, links in graph.links.items()}


def _reviews(graph: Graph) -> dict[str, Fields]:
    return {path: review_fields(review) for path, review in graph.library.reviews.items()}


def page_summaries(
    pages: Mapping[str, Page], dangers: Mapping[str, Sequence[Finding]]
) -> dict[str, PageSummary]:
    """Return the summaries of pages that show files or have findings. All keys are staged paths."""
    return {
        path: PageSummary(page.files, tuple(page.findings), tuple(dangers.get(path, ())))
        for path, page in pages.items()
        if page.files or page.findings or dangers.get(path)
    }


def list_entry(page: Page) -> Page:
    """Return a page with only what lists of pages need: address, title, note and languages."""
    return Page(
        page.url, page.lang, page.title, "", "",
        kind=page.kind, note=page.note, alternates=page.alternates,
    )  # fmt: skip


def topics_shown(pages: Iterable[Page]) -> str:
    """Return a digest of the topics as the page for missing addresses lists them."""
    return digest(*(f"{page.url}\n{page.title}" for page in pages if page.kind == "topic"))
