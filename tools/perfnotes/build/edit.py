"""What may differ after an edit from the site of the last whole build: pages, files, findings.

Only what may differ is read, linked, staged and checked again. ``edited_notes`` reads the notes and
names what differs in them; here the kinds of pages say which of their pages show something of that
name. ``edited_build`` then makes those pages.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.build.build_record import (
    BuildSummary,
    LaterEdits,
    LaterPage,
    PageSummary,
    RecordParts,
    list_entry,
    topics_shown,
)
from perfnotes.build.edited_notes import EditedNotes
from perfnotes.checks import FindingsByText, examine
from perfnotes.graph.address import markdown_file
from perfnotes.search.shards import IndexDifference
from perfnotes.site.changes import findings_in_texts
from perfnotes.site.page import Page
from perfnotes.site.page_addresses import address_problems
from perfnotes.site.page_selection import GONE, StalePage, pages_of_site, same_files, stale_pages
from perfnotes.site.searchable.changed import documents_after
from perfnotes.site.searchable.documents import documents
from perfnotes.site.stage import Stage, listings, page_source, stage_files
from perfnotes.source.inputs import Inputs
from perfnotes.text.findings import Finding

EMPTY_SUMMARY = PageSummary()
INDEX_FOLDER = "search/"  # the folder of the index
# Builds after edits are compared with the last whole build, so each looks at all files that changed
# since. It stores a new record, with which the next build is compared, if notes came or went, if
# more than ``_MOST_CHANGED`` files changed, or if builds have kept more than ``_MOST_KEPT`` pages
# of earlier edits, all builds together. For our own notes each kept page takes some 5 ms in every
# build, and storing a record takes 400 ms. A build that makes ``_MANY_MADE`` pages takes long
# enough, so it leaves the record to the next one.
_MOST_CHANGED = 20
_MOST_KEPT = 80
_MANY_MADE = 100


class LargeEditError(Exception):
    """An edit changed something that only a whole build takes up; the message is a clause."""


class RestagedPage(Struct, frozen=True):
    """A page that was staged after an edit; ``page`` is without its text and Markdown copy.

    ``source`` is its staged file. ``shows`` is that of ``StalePage``.
    """

    page: Page
    source: bytes
    markdown: bytes
    shows: str


class EditedSite(Struct, frozen=True):
    """The site that a build after an edit made, in digests and findings."""

    inputs: Inputs
    staged: dict[str, str]  # digests of the staged files by path
    files: dict[str, str]  # digests of the site's files by path
    # What is unsafe in the HTML of the pages made again, by staged path.
    dangers: dict[str, list[Finding]]
    missing: str  # a message about what git could not tell


class Edit(EditedNotes):
    """What differs from the whole build ``before``.

    Every method and property may raise LargeEditError, and RecordError if a part of the record
    cannot be used.
    """

    @cached_property
    def pages(self) -> dict[str, RestagedPage]:
        """The pages that may differ from those of the last build, staged again; by staged path."""
        staged, new, later = self.before.summary.staged, self.added, self.before.later.pages
        if not self._only_texts_differ and any(address_problems(self.site)):
            raise LargeEditError("the address of a page is taken or reserved")
        found: dict[str, RestagedPage] = {}
        candidates: Iterable[StalePage]
        if self.changed is None:
            candidates, later = map(StalePage, pages_of_site(self.site)), {}
        else:
            shows = dict.fromkeys(self.before.later.gone, GONE)
            shows |= {each.page.url: each.shows for each in later.values()}
            candidates = stale_pages(
                self.site, self._site_before, self._changed_since_last_build, shows
            )
        for stale in candidates:
            page = stale.page
            path = markdown_file(page.url)
            if page.url in new and (path in staged or f"{page.url}index.html" in staged):
                raise LargeEditError(f"the page /{page.url} takes the place of a file")
            source, markdown = page_source(self.site, page), page.markdown.encode()
            found[path] = RestagedPage(
                replace(page, body="", markdown=""), source, markdown, stale.shows
            )
        if any(markdown_file(url) not in {**found, **later} for url in new):
            raise LargeEditError("there is a new page that no kind of page plans")
        if self.changed is None and self._topics_of(found) != self.before.summary.topics:
            raise LargeEditError("the list of topics changed")
        return found

    @cached_property
    def kept_pages(self) -> dict[str, LaterPage]:
        """The pages that earlier edits staged and this one leaves as they are, by staged path."""
        if self.changed is None:
            return {}
        there, later = {*map(markdown_file, self.addresses)}, self.before.later.pages
        return {path: later[path] for path in later if path in there and path not in self.pages}

    @property
    def _pages_kept_so_far(self) -> int:
        """How many pages the builds since the whole build have kept, this one included."""
        return self.before.later.kept + len(self.kept_pages)

    def _topics_of(self, pages: Mapping[str, RestagedPage]) -> str:
        return topics_shown(restaged.page for restaged in pages.values())

    @cached_property
    def _stage(self) -> Stage | None:
        """The staged files that are no pages, without the index; None if they are the same."""
        before = self.before.summary.pages
        if self._only_texts_differ and all(
            page.files == before.get(markdown_file(page.url), EMPTY_SUMMARY).files
            for page in self._staged_pages
        ):
            return None
        stage = Stage()
        for page in self._list_entries:
            path = markdown_file(page.url)
            stage.pages[path] = replace(page, files=self._page_summaries[path].files)
            stage.dropped[path] = ""
        by_kind = self.before.summary.by_kind
        same = None if self.changed is None else same_files(by_kind, self.changed)
        stage_files(self.site, stage, index=False, same=same)
        return stage

    @cached_property
    def _list_entries(self) -> list[Page]:
        """Every page as ``list_entry`` returns it, in the order of the build."""
        by_url = {page.url: page for page in self.before.list_entries}
        by_url |= {page.url: list_entry(page) for page in self._staged_pages}
        return [by_url[url] for url in self.addresses]

    @property
    def _staged_pages(self) -> Iterator[Page]:
        """The pages that were staged since the whole build, as they are now."""
        yield from (restaged.page for restaged in self.pages.values())
        yield from (later.page for later in self.kept_pages.values())

    @cached_property
    def _page_summaries(self) -> Mapping[str, PageSummary]:
        """Summaries by staged path, of every page, with dangers as they were before this build."""
        summaries: dict[str, PageSummary] = defaultdict(PageSummary, self.before.summary.pages)
        for path, restaged in self.pages.items():
            page, dangers = restaged.page, summaries[path].dangers
            summaries[path] = PageSummary(page.files, tuple(page.findings), dangers)
        for path, kept in self.kept_pages.items():
            summaries[path] = PageSummary(kept.page.files, tuple(kept.page.findings), kept.dangers)
        for url in self.gone:
            summaries.pop(markdown_file(url), None)
        return summaries

    @property
    def files(self) -> dict[str, bytes]:
        """The staged files that are no pages and may differ, without the search index."""
        if self._stage:
            return self._stage.files
        # If a translation falls behind, a page is added that shows what changed.
        return dict(listings(self.site, self._list_entries)) if self.added or self.gone else {}

    @property
    def gone_files(self) -> set[str]:
        """The paths of staged files of the whole build that are no pages and do not exist now."""
        stage = self._stage
        if stage is None:
            return set()
        index = {f"{INDEX_FOLDER}{name}" for name in self.before.shards.by_file}
        if index & stage.files.keys():
            raise LargeEditError("a staged file has the path of a file of the search index")
        there = stage.files.keys() | stage.dropped.keys() | {f"{INDEX_FOLDER}root.js"} | index
        return self.before.summary.staged.keys() - there

    def index(self) -> IndexDifference:
        """What differs in the search index from that of the whole build."""
        shards, staged = self.before.shards, self.before.summary.staged
        for name, content in shards.by_file.items():
            if staged.get(f"{INDEX_FOLDER}{name}") != content:
                raise LargeEditError(f"{INDEX_FOLDER}{name} is no file of the search index")
        if self.changed is None:
            return shards.update(list(documents(self.site)))
        old = shards.documents
        return shards.update(documents_after(old, self._site_before, self.site, self.changed))

    def findings(self, stale: Collection[RestagedPage]) -> list[Finding]:
        """Return all findings but the dangers in the HTML of ``stale``, which is not made yet."""
        summaries = self._page_summaries
        again = {markdown_file(restaged.page.url) for restaged in stale}
        of_pages = [f for each in summaries.values() for f in each.findings]
        of_pages += [
            f for path, each in summaries.items() if path not in again for f in each.dangers
        ]
        return examine(self.site, [*self._findings_of_no_page, *of_pages], self._in_texts)

    @cached_property
    def _in_texts(self) -> FindingsByText:
        """What the checks find in each text by itself."""
        known = self.before.summary.in_texts
        earlier = None if self.changed is None else self._site_before
        return findings_in_texts(earlier, self.site, known, self.changed)

    @property
    def _findings_of_no_page(self) -> list[Finding]:
        return self._stage.findings if self._stage else self.before.summary.findings

    def later_edits(self, edited: EditedSite) -> LaterEdits | None:
        """Return what the next build needs besides the record ``before``.

        Returns None if it is time for a new record, which ``new_record`` returns.
        """
        files, notes = self._changed_files, self.site.library.notes
        if (
            self._changed_values is None
            or files is None
            or len(files) > _MOST_CHANGED
            or (self._pages_kept_so_far > _MOST_KEPT and len(edited.dangers) < _MANY_MADE)
            or notes.keys() != self.before.linked.graph.library.notes.keys()
        ):
            return None
        pages, summaries = dict(self.kept_pages), self._summaries_with(edited.dangers)
        for path, restaged in self.pages.items():
            html = edited.files[f"{restaged.page.url}index.html"]
            pages[path] = LaterPage(
                restaged.page, restaged.shows, edited.staged[path], edited.files[path], html,
                summaries[path].dangers,
            )  # fmt: skip
        mark, stamp = os.urandom(8).hex(), self.before.later.record_stamp
        return LaterEdits(
            stamp, mark, self._changed_values, pages, self.gone, self._pages_kept_so_far
        )

    def _summaries_with(self, dangers: Mapping[str, Sequence[Finding]]) -> dict[str, PageSummary]:
        summaries = dict(self._page_summaries)
        for path, found in dangers.items():
            summaries[path] = replace(summaries[path], dangers=tuple(found))
        return summaries

    def new_record(self, edited: EditedSite) -> RecordParts:
        """Return a record of this build, which takes the place of ``before`` for the next one."""
        before, summaries = self.before.summary, self._summaries_with(edited.dangers)
        summary = BuildSummary(
            settings=before.settings,
            staged=edited.staged,
            pages={path: each for path, each in summaries.items() if each != EMPTY_SUMMARY},
            by_kind=self._stage.by_kind if self._stage else before.by_kind,
            findings=self._findings_of_no_page,
            in_texts=self._in_texts,
            toolchain=before.toolchain,
            missing=edited.missing,
            files=edited.files,
            topics=before.topics,
            addresses=self.addresses,
        )
        memo = self._session.library_memo
        return RecordParts(
            edited.inputs, summary, self.site, memo, self.before.shards, self._list_entries
        )
