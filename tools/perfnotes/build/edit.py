"""What is different after an edit, compared with the last whole build.

Only what may be different is read, linked, staged and checked again. ``site.changes`` says what
differs in the notes and tables, and the kinds of pages say which of their pages show it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.build.build_record import (
    LaterEdits,
    LaterPage,
    Made,
    RecordParts,
    Summary,
    row,
    topics_shown,
)
from perfnotes.build.edited_notes import EditedNotes
from perfnotes.checks import FindingsByText, examine
from perfnotes.graph.address import markdown_file
from perfnotes.search.shards import Difference
from perfnotes.site.changes import findings_in_texts
from perfnotes.site.page import Page
from perfnotes.site.page_addresses import address_problems
from perfnotes.site.page_selection import GONE, StalePage, pages_of_site, same_files, stale_pages
from perfnotes.site.searchable.changed import documents_after
from perfnotes.site.searchable.documents import documents
from perfnotes.site.stage import Stage, listings, page_source, stage_files
from perfnotes.source.inputs import Inputs
from perfnotes.text.findings import Finding

NOTHING = Made()
INDEX_FOLDER = "search/"  # the folder of the index
# Edits count from the last whole build, and every build of edits looks at all changed files. With
# more files than this, and where notes come or go, it stores what the next one is to be compared
# with; and where builds have kept this many pages of earlier edits, all together: of our own notes
# each of these pages takes some 5 ms in every build, storing all 400 ms. A build that makes
# many pages takes long enough, and leaves that to the next one.
_MOST_CHANGED = 20
_MOST_KEPT = 80
_MANY_MADE = 100


class LargeEditError(Exception):
    """More has changed than an edit can tell: everything is to be built. It says what."""


class Renewed(Struct, frozen=True):
    """A page that is made again: its staged file and its twin; ``page`` is without its text.

    ``shows`` is that of ``StalePage``.
    """

    page: Page
    source: bytes
    twin: bytes
    shows: str


class Rebuilt(Struct, frozen=True):
    """A site after an edit.

    ``staged`` and ``files`` are digests by path, of the staged files and of all files of the site;
    ``dangers`` are the findings in the HTML of pages, by staged path.
    """

    inputs: Inputs
    staged: dict[str, str]
    files: dict[str, str]
    dangers: dict[str, list[Finding]]
    missing: str  # what git could not tell


class Edit(EditedNotes):
    """All that differs from the whole build ``before``. Each method may raise LargeEditError."""

    @cached_property
    def pages(self) -> dict[str, Renewed]:
        """The pages that may be different, by staged path."""
        staged, new, later = self.before.summary.staged, self.added, self.before.later.pages
        if not self._is_of_texts and any(address_problems(self.site)):
            raise LargeEditError("the address of a page")
        found: dict[str, Renewed] = {}
        made: Iterable[StalePage]
        if self.changed is None:
            made, later = map(StalePage, pages_of_site(self.site)), {}
        else:
            shows = dict.fromkeys(self.before.later.gone, GONE)
            shows |= {each.page.url: each.shows for each in later.values()}
            made = stale_pages(self.site, self._site_before, self._changed_since_last_build, shows)
        for stale in made:
            page = stale.page
            path = markdown_file(page.url)
            if page.url in new and (path in staged or f"{page.url}index.html" in staged):
                raise LargeEditError(f"/{page.url} takes the place of a file")
            source, twin = page_source(self.site, page), page.twin.encode()
            found[path] = Renewed(replace(page, body="", twin=""), source, twin, stale.shows)
        if any(markdown_file(url) not in {**found, **later} for url in new):
            raise LargeEditError("a page that no kind of page names")
        if self.changed is None and self._topics_of(found) != self.before.summary.topics:
            raise LargeEditError("the list of topics")
        return found

    @cached_property
    def kept(self) -> dict[str, LaterPage]:
        """The pages that later edits staged and that are the same still, by staged path."""
        if self.changed is None:
            return {}
        there, later = {*map(markdown_file, self.addresses)}, self.before.later.pages
        return {path: later[path] for path in later if path in there and path not in self.pages}

    @property
    def _kept_by_all(self) -> int:
        """How many pages this build and those of earlier edits have kept, all together."""
        return self.before.later.kept + len(self.kept)

    def _topics_of(self, pages: Mapping[str, Renewed]) -> str:
        return topics_shown(renewed.page for renewed in pages.values())

    @cached_property
    def _stage(self) -> Stage | None:
        """The other staged files, except those of the search index; None if they are the same."""
        before = self.before.summary.pages
        if self._is_of_texts and all(
            page.files == before.get(markdown_file(page.url), NOTHING).files
            for page in self._staged_pages
        ):
            return None
        stage = Stage()
        for page in self._rows:
            path = markdown_file(page.url)
            stage.pages[path] = replace(page, files=self._made[path].files)
            stage.dropped[path] = ""
        by_kind = self.before.summary.by_kind
        same = None if self.changed is None else same_files(by_kind, self.changed)
        stage_files(self.site, stage, index=False, same=same)
        return stage

    @cached_property
    def _rows(self) -> list[Page]:
        """Every page as lists of pages need it, in the order of the build."""
        by_url = {page.url: page for page in self.before.rows}
        by_url |= {page.url: row(page) for page in self._staged_pages}
        return [by_url[url] for url in self.addresses]

    @property
    def _staged_pages(self) -> Iterator[Page]:
        """The pages that were staged since the whole build, as they are now."""
        yield from (renewed.page for renewed in self.pages.values())
        yield from (later.page for later in self.kept.values())

    @cached_property
    def _made(self) -> Mapping[str, Made]:
        """What pages have beside their staged files."""
        made: dict[str, Made] = defaultdict(Made, self.before.summary.pages)
        for path, renewed in self.pages.items():
            page, dangers = renewed.page, made[path].dangers
            made[path] = Made(page.files, tuple(page.findings), dangers)
        for path, kept in self.kept.items():
            made[path] = Made(kept.page.files, tuple(kept.page.findings), kept.dangers)
        for url in self.gone:
            made.pop(markdown_file(url), None)
        return made

    @property
    def files(self) -> dict[str, bytes]:
        """The other files that may be different, except those of the search index."""
        if self._stage:
            return self._stage.files
        # Where a translation falls behind, a page comes that says what changed.
        return dict(listings(self.site, self._rows)) if self.added or self.gone else {}

    @property
    def gone_files(self) -> set[str]:
        """The paths of other staged files of the whole build that are no more."""
        stage = self._stage
        if stage is None:
            return set()
        index = {f"{INDEX_FOLDER}{name}" for name in self.before.shards.by_file}
        if index & stage.files.keys():
            raise LargeEditError("a file in the place of the search index")
        there = stage.files.keys() | stage.dropped.keys() | {f"{INDEX_FOLDER}root.js"} | index
        return self.before.summary.staged.keys() - there

    def index(self) -> Difference:
        """What is different in the search index."""
        shards, staged = self.before.shards, self.before.summary.staged
        for name, content in shards.by_file.items():
            if staged.get(f"{INDEX_FOLDER}{name}") != content:
                raise LargeEditError("another file has the place of one of the search index")
        if self.changed is None:
            return shards.update(list(documents(self.site)))
        old = shards.documents
        return shards.update(documents_after(old, self._site_before, self.site, self.changed))

    def findings(self, stale: Collection[Renewed]) -> list[Finding]:
        """All findings but what is dangerous in the ``stale`` pages, which are made again."""
        made, again = self._made, {markdown_file(renewed.page.url) for renewed in stale}
        of_pages = [f for each in made.values() for f in each.findings]
        of_pages += [f for path, each in made.items() if path not in again for f in each.dangers]
        return examine(self.site, [*self._of_no_page, *of_pages], self._in_texts)

    @cached_property
    def _in_texts(self) -> FindingsByText:
        """What the checks find in each text."""
        known = self.before.summary.in_texts
        earlier = None if self.changed is None else self._site_before
        return findings_in_texts(earlier, self.site, known, self.changed)

    @property
    def _of_no_page(self) -> list[Finding]:
        return self._stage.findings if self._stage else self.before.summary.findings

    def later(self, done: Rebuilt) -> LaterEdits | None:
        """What the next build is to compare with besides ``before``; None if it is to have another.

        That is what ``record`` returns.
        """
        files, notes = self._changed_files, self.site.library.notes
        if (
            self._values is None
            or files is None
            or len(files) > _MOST_CHANGED
            or (self._kept_by_all > _MOST_KEPT and len(done.dangers) < _MANY_MADE)
            or notes.keys() != self.before.linked.graph.library.notes.keys()
        ):
            return None
        pages, made = dict(self.kept), self._made_with(done.dangers)
        for path, renewed in self.pages.items():
            html = done.files[f"{renewed.page.url}index.html"]
            pages[path] = LaterPage(
                renewed.page, renewed.shows, done.staged[path], done.files[path], html,
                made[path].dangers,
            )  # fmt: skip
        mark, record = os.urandom(8).hex(), self.before.later.record
        return LaterEdits(record, mark, self._values, pages, self.gone, self._kept_by_all)

    def _made_with(self, dangers: Mapping[str, Sequence[Finding]]) -> dict[str, Made]:
        made = dict(self._made)
        for path, found in dangers.items():
            made[path] = replace(made[path], dangers=tuple(found))
        return made

    def record(self, done: Rebuilt) -> RecordParts:
        """What the next build is to compare with instead of ``before``."""
        before, made = self.before.summary, self._made_with(done.dangers)
        summary = Summary(
            settings=before.settings,
            staged=done.staged,
            pages={path: each for path, each in made.items() if each != NOTHING},
            by_kind=self._stage.by_kind if self._stage else before.by_kind,
            findings=self._of_no_page,
            in_texts=self._in_texts,
            maker=before.maker,
            missing=done.missing,
            files=done.files,
            topics=before.topics,
            addresses=self.addresses,
        )
        read = self._session.library_memo
        return RecordParts(done.inputs, summary, self.site, read, self.before.shards, self._rows)
