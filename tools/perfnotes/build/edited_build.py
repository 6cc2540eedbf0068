"""The build after an edit of a few notes, which makes only what may differ.

The steps are those of ``build.py``: read and link, stage pages, stage files, check, make pages,
write the rest. ``Edit`` says what may differ after each step, and this module makes it. A forked
process reads the settings and makes the few pages while this one does the rest. All files that
differ are written into a folder beside the site and then take the places of the old ones;
``storage.exchange`` says what happens to a build that is killed meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from perfnotes.build.build_record import BuildRecord, LaterEdits, LaterPage, RecordParts
from perfnotes.build.clock import Clock
from perfnotes.build.edit import INDEX_FOLDER, Edit, EditedSite, LargeEditError, RestagedPage
from perfnotes.build.messages import ToPublish
from perfnotes.build.page_cache import PageCache
from perfnotes.build.rebuild_reasons import Reasons, print_reason
from perfnotes.build.record_rows import RecordError
from perfnotes.build.session import Session
from perfnotes.build.up_to_date import SiteState
from perfnotes.checks import grade
from perfnotes.graph.address import markdown_file
from perfnotes.graph.site import Site
from perfnotes.search.shards import IndexDifference
from perfnotes.site.locate import locate
from perfnotes.site.pages import offline
from perfnotes.source.inputs import Inputs
from perfnotes.storage.digests import content_digest
from perfnotes.storage.exchange import put_in_place
from perfnotes.storage.store import Store
from perfnotes.storage.system_errors import write_file
from perfnotes.text.findings import Finding

if TYPE_CHECKING:
    from perfnotes.build.early_workers import PageWorkers


class EditedBuildTask(Struct):
    """What a build after an edit starts from."""

    session: Session
    # The folder of the project.
    root: Path
    notes: Path  # the folder
    store: Store
    # The name of the site in the store.
    name: str
    # Paths of the notes' files that differ from the last whole build; None if more differs.
    changed: list[str] | None
    inputs: Inputs
    last: SiteState  # the site that is to be changed
    own: bool  # whether the notes are the project's own
    verbose: bool
    clock: Clock
    size_of: Callable[[str], int]  # the bytes of a file of the old site, by its path

    def record(self) -> BuildRecord:
        """The last whole build. Each edit gets one of its own, since it changes the index in it."""
        return BuildRecord(self.store, self.name, self.last.edits_mark)


class EditedBuildResult(Struct):
    """What a build after an edit printed and made, and what the next build has to know."""

    messages: str
    pages: int  # how many pages the site has
    files: dict[str, str]  # the digests of all files of the site, which the cache keeps
    written: list[str]  # the files that this build wrote or removed
    # The next build is compared with the same record and with ``later``, or else with ``record``.
    later: LaterEdits | None
    record: RecordParts | None
    findings: list[Finding]


def build_edited(task: EditedBuildTask, pool: PageWorkers) -> EditedBuildResult | None:
    """Bring the site up to date after an edit; return None if everything has to be built.

    Raises MkDocs' Abort if the findings forbid a site.
    """
    try:
        edit = Edit(task.record(), task.session, task.root, task.notes, task.changed)
        return _EditedBuild(task, edit, pool).run()
    except LargeEditError as reason:
        if task.verbose:
            print(f"perfnotes: everything is built: {reason}", file=sys.stderr)
    except RecordError:
        pass  # without a record nobody can tell what the edit changed
    except OSError as error:
        task.session.name_place(error)
        raise
    finally:
        task.clock.clear()
    return None


class _EditedBuild:
    """One build after an edit. Paths are those of the site, staged paths those of the stage."""

    def __init__(self, task: EditedBuildTask, edit: Edit, pool: PageWorkers) -> None:
        self._task, self._edit, self._pool = task, edit, pool
        with task.clock.phase("read the record"):
            self._whole = edit.before.summary  # the last whole build
        self._site_dir = Path(task.last.folder)
        self._old_files = task.last.files  # digests of the old site's files by path
        self._cache = PageCache(task.store, self._whole.toolchain)
        # Digests of the new site's files and staged files. They begin as in the last whole build.
        self._files = dict(self._whole.files)
        self._staged = dict(self._whole.staged)
        self._made: dict[str, bytes] = {}  # the files that are made here, by path
        # The cache's keys of the pages among ``_made``, by path.
        self._cache_keys: dict[str, str] = {}

    def run(self) -> EditedBuildResult:
        """Build. Raises LargeEditError before anything in the site is changed."""
        clock, session, edit = self._task.clock, self._task.session, self._edit
        with clock.phase("read and link"):
            site = edit.site
        with clock.phase("stage pages"):
            stale = self._request_pages(edit.pages)
            self._take_over(edit.kept_pages)
        with clock.phase("stage files, index"):
            files, gone_files = edit.files, edit.gone_files
            index = edit.index()
        with clock.phase("check"):
            found = edit.findings(stale)
        with clock.phase("pages"):
            dangers = self._collect_pages(site, stale)
            found += [danger for of_page in dangers.values() for danger in of_page]
        clock.clear()
        messages = session.report(sorted(found))
        with clock.phase("write the rest"):
            self._leave_out(edit.gone, gone_files)
            for path, data in files.items():
                self._add(path, data)
                self._staged[path] = self._files[path]
            self._add_index(index)
            folder = session.new_folder(self._site_dir)
            self._write(folder)
            self._write_offline_files(folder, site)
            for path in self._made:
                content = self._files[path]
                self._cache.keep(self._cache_keys.get(path, content), folder / path, content)
            changed, gone = self._changed_files, self._gone_files
            put_in_place(self._site_dir, folder, changed, gone)
        edited = EditedSite(self._task.inputs, self._staged, self._files, dangers, session.missing)
        later = edit.later_edits(edited)
        record = None if later else edit.new_record(edited)
        return EditedBuildResult(
            messages, len(edit.addresses), self._files, [*changed, *gone], later, record,
            sorted(found),
        )  # fmt: skip

    def _request_pages(self, pages: Mapping[str, RestagedPage]) -> list[RestagedPage]:
        """Have the pages made whose staged file or Markdown copy is new, and return these pages.

        A page that had dangers in the whole build is made again too: the cache keeps none of these.
        """
        stale = []
        whole = self._whole
        reasons = Reasons(self._task.store.section("why"), str(self._site_dir), whole.toolchain)
        for path, restaged in pages.items():
            url, source, markdown = restaged.page.url, restaged.source, restaged.markdown
            has_dangers = path in whole.pages and bool(whole.pages[path].dangers)
            content = content_digest(source)
            is_same = self._staged.get(path) == content
            is_same = is_same and whole.files.get(path) == content_digest(markdown)
            self._staged[path] = content
            if is_same and not has_dangers:
                continue
            key = self._cache.key(url, source, markdown, own=self._task.own)
            why = reasons.of(url, key, source)
            if not has_dangers and self._keep_from_old_site(url, key):
                self._add(path, markdown)
                continue
            if self._task.verbose:
                print_reason(url, why)
            stale.append(restaged)
            self._cache_keys[f"{url}index.html"] = key
            article = self._cache.article(self._cache.article_key(source))
            self._pool.add(ToPublish(url, source, markdown, not self._task.own, article))
        return stale

    def _keep_from_old_site(self, url: str, key: str) -> bool:
        """Keep a page that an edit since the whole build has made already; False if none has."""
        path, content = f"{url}index.html", self._cache.content(key)
        if not content or self._old_files.get(path) != content:
            return False
        self._files[path] = content
        return True

    def _take_over(self, pages: Mapping[str, LaterPage]) -> None:
        """Leave pages as the build of an earlier edit made them."""
        for path, later in pages.items():
            self._staged[path], self._files[path] = later.staged, later.markdown
            self._files[f"{later.page.url}index.html"] = later.html

    def _collect_pages(
        self, site: Site, stale: Collection[RestagedPage]
    ) -> dict[str, list[Finding]]:
        """Wait for the requested pages; return the dangers in each, by staged path."""
        dangers: dict[str, list[Finding]] = {}
        for restaged, (data, done) in zip(stale, self._pool.finish(), strict=True):
            staged_path, path = markdown_file(restaged.page.url), f"{restaged.page.url}index.html"
            found = [locate(site, restaged.page, danger) for danger in done.dangers]
            dangers[staged_path] = grade(found, site.library)
            self._add(path, data)
            self._add(staged_path, restaged.markdown)
            if found:
                del self._cache_keys[path]  # the cache must not give it to a later build unjudged
            article = self._cache.article_key(restaged.source)
            self._cache.keep_article(article, self._files[path], done.article)
        return dangers

    def _leave_out(self, urls: Collection[str], staged_paths: Collection[str]) -> None:
        """Take pages and other staged files out of the new site."""
        for url in urls:
            del self._files[f"{url}index.html"], self._files[markdown_file(url)]
            del self._staged[markdown_file(url)]
        for path in staged_paths:
            if path in self._staged:
                del self._staged[path], self._files[path]

    def _add(self, path: str, data: bytes) -> None:
        self._made[path] = data
        self._files[path] = content_digest(data)

    def _add_index(self, index: IndexDifference) -> None:
        for name in index.gone:
            self._files.pop(f"{INDEX_FOLDER}{name}", None)
            self._staged.pop(f"{INDEX_FOLDER}{name}", None)
        for name, content in index.renamed.items():
            self._files[f"{INDEX_FOLDER}{name}"] = content
        for name, data in index.made.items():
            self._add(f"{INDEX_FOLDER}{name}", data)
        for name in (*index.made, *index.renamed):
            self._staged[f"{INDEX_FOLDER}{name}"] = self._files[f"{INDEX_FOLDER}{name}"]

    @property
    def _changed_files(self) -> list[str]:
        return [p for p, content in self._files.items() if self._old_files.get(p) != content]

    @property
    def _gone_files(self) -> list[str]:
        return [path for path in self._old_files if path not in self._files]

    def _write(self, folder: Path) -> None:
        """Write all files that differ from the old site, except those for reading without network.

        Raises LargeEditError if the cache no longer has a file of an earlier build.
        """
        parents = {""}
        for path in self._changed_files:
            parent = path.rpartition("/")[0]
            if parent not in parents:
                parents.add(parent)
                (folder / parent).mkdir(parents=True, exist_ok=True)
            if path in (offline.INDEX, offline.WORKER):
                continue
            if path in self._made:
                write_file(folder / path, self._made[path])
            elif not self._cache.put(folder / path, self._files[path]):
                raise LargeEditError(f"the cache has lost {path}")

    def _write_offline_files(self, folder: Path, site: Site) -> None:
        """Write the files that are made from the digests of all others: index and service worker.

        Raises LargeEditError if the index in one file is not made any more, or only from now on.
        """
        staged = self._staged
        shards = [p for p in staged if p.startswith(INDEX_FOLDER) and p.endswith(".js")]
        size = sum(self._size(folder, path) for path in shards)
        is_whole = offline.is_small(size)
        if is_whole != (offline.INDEX in self._files):
            raise LargeEditError("the search index crossed the size up to which it is one file")
        if is_whole:
            self._add(offline.INDEX, self._packed(folder, shards))
        self._add(offline.WORKER, offline.worker(site, staged, whole=is_whole))
        for path in (offline.INDEX, offline.WORKER):
            if path in self._made:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                write_file(folder / path, self._made[path])

    def _size(self, folder: Path, path: str) -> int:
        """The bytes of a file of the new site."""
        if self._old_files.get(path) == self._files[path]:
            return self._task.size_of(path)
        return (folder / path).stat().st_size

    def _packed(self, folder: Path, shards: Collection[str]) -> bytes:
        """The search index in one file; what has not changed is copied from the old one."""
        changed = [path for path in shards if self._old_files.get(path) != self._files[path]]
        texts = {path: (folder / path).read_text("utf-8") for path in changed}
        return offline.repacked((self._site_dir / offline.INDEX).read_bytes(), shards, texts)
