"""What is different after an edit of anything but the settings, the theme and the program.

Everything is read and staged again and compared with the digests that the last whole build stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from perfnotes.build.build_record import (
    BuildRecord,
    RecordParts,
    Summary,
    made_of,
    row,
    topics_shown,
)
from perfnotes.build.edit import INDEX_FOLDER, NOTHING, Edit, LargeEditError, Rebuilt, Renewed
from perfnotes.checks import FindingsByText, examine, examine_texts
from perfnotes.graph.address import markdown_file
from perfnotes.graph.site import Settings, Site
from perfnotes.search.document import SearchDocument
from perfnotes.site.pages._changed import ChangedTexts
from perfnotes.site.searchable.documents import documents
from perfnotes.site.stage import Stage, stage_files, staged_pages
from perfnotes.storage.digests import content_digest
from perfnotes.text.findings import Finding


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
