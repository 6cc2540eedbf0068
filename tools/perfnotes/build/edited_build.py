"""A site after an edit of a few notes, without making all of it again.

A forked process reads the settings and makes the few pages while this one makes the rest. When all
files that differ have been written beside the site, they take the places of the old ones; see
``storage.exchange`` for what happens to a build that is killed meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from perfnotes.build.build_record import BuildRecord, LaterEdits, LaterPage, RecordParts
from perfnotes.build.clock import Clock
from perfnotes.build.edit import INDEX_FOLDER, NOTHING, Edit, LargeEditError, Rebuilt, Renewed
from perfnotes.build.messages import ToPublish
from perfnotes.build.page_cache import PageCache
from perfnotes.build.rebuild_reasons import Reasons
from perfnotes.build.record_rows import RecordError
from perfnotes.build.session import Session
from perfnotes.checks import grade
from perfnotes.graph.address import markdown_file
from perfnotes.graph.site import Site
from perfnotes.search.shards import Difference
from perfnotes.site.locate import locate
from perfnotes.site.pages import offline
from perfnotes.source.inputs import Inputs
from perfnotes.storage.digests import content_digest
from perfnotes.storage.exchange import put_in_place
from perfnotes.storage.store import Store
from perfnotes.text.findings import Finding

if TYPE_CHECKING:
    from perfnotes.build.early_workers import Pagemakers


class Renewal(Struct):
    """How a site is to be made again.

    ``entry`` is what is known of the site that stands; ``changed`` are the files of the notes that
    differ from the last whole build, or None where something else differs too.
    """

    session: Session
    root: Path
    notes: Path  # the folder
    store: Store
    name: str
    changed: list[str] | None
    inputs: Inputs
    entry: Mapping[str, Any]
    own: bool
    verbose: bool
    clock: Clock
    size_of: Callable[[str], int]  # the bytes of a file of the site that stands, by its path

    def record(self) -> BuildRecord:
        """The last whole build. Each edit gets one of its own, since it changes the index in it."""
        return BuildRecord(self.store, self.name, self.entry.get("later", ""))


class EditedBuildResult(Struct):
    """What was told, how many pages there are, and what the next build has to know.

    ``files`` are the digests of all files of the site, which the cache keeps. ``written`` are the
    files that this build has written or removed. The next build is compared with the
    record that this one was compared with and with ``later``, or else with the new ``record``.
    """

    said: str
    pages: int
    files: dict[str, str]
    written: list[str]
    later: LaterEdits | None
    record: RecordParts | None
    findings: list[Finding]


def build_again(renewal: Renewal, pool: Pagemakers) -> EditedBuildResult | None:
    """Make the site again; return None where it is to be built as a whole.

    Raises mkdocs' Abort where the findings forbid a site.
    """
    try:
        edit = Edit(renewal.record(), renewal.session, renewal.root, renewal.notes, renewal.changed)
        return _Build(renewal, edit, pool).done()
    except LargeEditError as too_large:
        if renewal.verbose:
            print(f"perfnotes: everything is looked at: {too_large} changed", file=sys.stderr)
    except RecordError:
        pass
    finally:
        renewal.clock.clear()
    return None


class _Build:
    """One such build, from what the last whole one left."""

    def __init__(self, renewal: Renewal, edit: Edit, pool: Pagemakers) -> None:
        self._renewal, self._edit, self._pool = renewal, edit, pool
        with renewal.clock.phase("what was left"):
            self._summary = edit.before.summary
        self._old = Path(renewal.entry["place"])
        self._known: dict[str, str] = renewal.entry["files"]
        self._kept = PageCache(renewal.store, self._summary.maker)
        self._target = dict(self._summary.files)  # every file of the new site
        self._staged = dict(self._summary.staged)
        self._fresh: dict[str, bytes] = {}  # the files of the site that are made here
        self._keys: dict[str, str] = {}  # what these pages are kept by

    def done(self) -> EditedBuildResult:
        """Build. Raises LargeEditError before anything in the site is changed."""
        clock, session, edit = self._renewal.clock, self._renewal.session, self._edit
        with clock.phase("read and link"):
            site = edit.site
        with clock.phase("stage pages"):
            stale = self._begin(edit.pages)
            self._keep(edit.kept)
        with clock.phase("stage files, index"):
            files, gone_files = edit.files, edit.gone_files
            index = edit.index()
        with clock.phase("check"):
            found = edit.findings(stale)
        dangers: dict[str, list[Finding]] = {}
        with clock.phase("pages"):
            for renewed, (data, done) in zip(stale, self._pool.finish(), strict=True):
                path = markdown_file(renewed.page.url)
                located = [locate(site, renewed.page, danger) for danger in done.dangers]
                dangers[path] = grade(located, site.library)
                found += dangers[path]
                self._add_page(renewed, data, keep=not located)
                content = self._target[f"{renewed.page.url}index.html"]
                article = self._kept.article_key(renewed.source)
                self._kept.keep_article(article, content, done.article)
        clock.clear()
        said = session.report(sorted(found))
        with clock.phase("write the rest"):
            self._leave_out(edit.gone, gone_files)
            for path, data in files.items():
                self._add(path, data)
                self._staged[path] = self._target[path]
            folder = session.new_folder(self._old)
            self._write(folder, index)
            self._write_last(folder, site)
            fresh = {path: folder / path for path in self._fresh}
            for path, file in fresh.items():
                content = self._target[path]
                self._kept.keep(self._keys.get(path, content), file, content)
            written = [*self._changed_files, *self._gone]
            put_in_place(self._old, folder, self._changed_files, self._gone)
        rebuilt = Rebuilt(
            self._renewal.inputs, self._staged, self._target, dangers, session.missing
        )
        later = edit.later(rebuilt)
        record = None if later else edit.record(rebuilt)
        return EditedBuildResult(
            said, len(edit.addresses), self._target, written, later, record, sorted(found)
        )

    def _leave_out(self, gone: Collection[str], files: Collection[str]) -> None:
        for url in gone:
            del self._target[f"{url}index.html"], self._target[markdown_file(url)]
            del self._staged[markdown_file(url)]
        for path in files:
            if path in self._staged:
                del self._staged[path], self._target[path]

    def _keep(self, pages: Mapping[str, LaterPage]) -> None:
        """Keep pages as the build of an earlier edit made them."""
        for path, later in pages.items():
            self._staged[path], self._target[path] = later.staged, later.twin
            self._target[f"{later.page.url}index.html"] = later.html

    def _begin(self, pages: Mapping[str, Renewed]) -> list[Renewed]:
        """Have those pages made that are others now."""
        stale = []
        before = self._summary
        reasons = Reasons(self._renewal.store.section("why"), str(self._old), before.maker)
        for path, renewed in pages.items():
            url, source, twin = renewed.page.url, renewed.source, renewed.twin
            content = content_digest(source)
            same = self._staged.get(path) == content and before.files.get(path) == content_digest(
                twin
            )
            self._staged[path] = content
            if same and not before.pages.get(path, NOTHING).dangers:
                continue
            key = self._kept.key(url, source, twin, own=self._renewal.own)
            why = reasons.of(url, key, source)
            if not before.pages.get(path, NOTHING).dangers and self._stands(url, key):
                self._add(path, twin)
                continue
            if self._renewal.verbose and why:
                print(f"perfnotes: /{url} is made again: {why}", file=sys.stderr)
            stale.append(renewed)
            self._keys[f"{url}index.html"] = key
            article = self._kept.article(self._kept.article_key(source))
            self._pool.add(ToPublish(url, source, twin, self._renewal.own, article))
        return stale

    def _stands(self, url: str, key: str) -> bool:
        """Whether a build since the record has put the page into the site that is kept by ``key``.

        Such a page is not made again.
        """
        path, content = f"{url}index.html", self._kept.content(key)
        if not content or self._known.get(path) != content:
            return False
        self._target[path] = content
        return True

    def _add_page(self, renewed: Renewed, data: bytes, *, keep: bool) -> None:
        path = f"{renewed.page.url}index.html"
        self._add(path, data)
        self._add(markdown_file(renewed.page.url), renewed.twin)
        if not keep:
            del self._keys[path]

    def _add(self, path: str, data: bytes) -> None:
        self._fresh[path] = data
        self._target[path] = content_digest(data)

    @property
    def _changed_files(self) -> list[str]:
        return [p for p, content in self._target.items() if self._known.get(p) != content]

    @property
    def _gone(self) -> list[str]:
        return [path for path in self._known if path not in self._target]

    def _write(self, folder: Path, index: Difference) -> None:
        """Write all files that differ from the old site, except those that ``_write_last`` makes.

        Raises LargeEditError where a file of an earlier build is not in the cache any more.
        """
        for name in index.gone:
            self._target.pop(f"{INDEX_FOLDER}{name}", None)
            self._staged.pop(f"{INDEX_FOLDER}{name}", None)
        for name, content in index.renamed.items():
            self._target[f"{INDEX_FOLDER}{name}"] = content
        for name, data in index.made.items():
            self._add(f"{INDEX_FOLDER}{name}", data)
        for name in (*index.made, *index.renamed):
            self._staged[f"{INDEX_FOLDER}{name}"] = self._target[f"{INDEX_FOLDER}{name}"]
        made = {""}
        for path in self._changed_files:
            parent = path.rpartition("/")[0]
            if parent not in made:
                made.add(parent)
                (folder / parent).mkdir(parents=True, exist_ok=True)
            if path in (offline.INDEX, offline.WORKER):
                continue
            if path in self._fresh:
                (folder / path).write_bytes(self._fresh[path])
            elif not self._kept.put(folder / path, self._target[path]):
                raise LargeEditError(f"the cache, which lost {path}, has")

    def _write_last(self, folder: Path, site: Site) -> None:
        """Write the files that are made from the digests of all others.

        Raises LargeEditError where one of them is not made any more, or only now.
        """
        staged = self._staged
        shards = [p for p in staged if p.startswith("search/") and p.endswith(".js")]
        size = sum(self._size(folder, path) for path in shards)
        whole = offline.is_small(size)
        if whole != (offline.INDEX in self._target):
            raise LargeEditError("whether the search index is small")
        if whole:
            self._add(offline.INDEX, self._packed(folder, shards))
        self._add(offline.WORKER, offline.worker(site, staged, whole=whole))
        for path in (offline.INDEX, offline.WORKER):
            if path in self._fresh:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(self._fresh[path])

    def _size(self, folder: Path, path: str) -> int:
        """The bytes of a file of the new site."""
        if self._known.get(path) == self._target[path]:
            return self._renewal.size_of(path)
        return (folder / path).stat().st_size

    def _packed(self, folder: Path, shards: Collection[str]) -> bytes:
        """The index in one file, most of it as it stands in that of the old site."""
        changed = [path for path in shards if self._known.get(path) != self._target[path]]
        texts = {path: (folder / path).read_text("utf-8") for path in changed}
        return offline.repacked((self._old / offline.INDEX).read_bytes(), shards, texts)
