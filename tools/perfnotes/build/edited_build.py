"""A site after an edit of a few notes, without making all of it again.

A forked process reads the settings and makes the few pages while this one makes the rest. When all
files that differ have been written beside the site, they take the places of the old ones; see
``storage.exchange`` for what happens to a build that is killed meanwhile.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfnotes.build.build_record import Left, Made, left, rows
from perfnotes.build.clock import Clock
from perfnotes.build.edit import INDEX_FOLDER, LargeEditError, NotesEdit, Renewed
from perfnotes.build.messages import ToPublish
from perfnotes.build.page_cache import PageCache
from perfnotes.build.rebuild_reasons import Reasons
from perfnotes.build.session import Session
from perfnotes.checks import examine, grade
from perfnotes.graph.address import markdown_file
from perfnotes.graph.site import Site
from perfnotes.search.shards import Difference
from perfnotes.site.locate import locate
from perfnotes.site.page import Page
from perfnotes.site.pages import offline
from perfnotes.site.pages._changed import ChangedTexts
from perfnotes.source.read.memo import Remembering
from perfnotes.storage.cache import Cache, content_digest
from perfnotes.storage.exchange import put_in_place
from perfnotes.storage.write import write_atomically
from perfnotes.text.findings import Finding

if TYPE_CHECKING:
    from perfnotes.build.early_workers import Pagemakers


@dataclass
class Renewal:
    """How a site is to be made again.

    ``entry`` is what is known of the site that stands; ``changed`` are the texts that differ from
    the last whole build.
    """

    session: Session
    notes: Path  # the folder
    store: Cache
    name: str
    changed: list[str]
    entry: Mapping[str, Any]
    own: bool
    verbose: bool
    clock: Clock


@dataclass
class EditedBuildResult:
    """What was told, how many pages there are, and what the next build has to know.

    ``files`` are the digests of all files of the site, which the cache keeps; ``edited`` is what
    differs from the last whole build.
    """

    said: str
    pages: int
    files: dict[str, str]
    edited: dict[str, list[str]]


def build_again(renewal: Renewal, crew: Pagemakers) -> EditedBuildResult | None:
    """Make the site again; return None where it is to be built as a whole.

    Raises mkdocs' Abort where the findings forbid a site.
    """
    with renewal.clock.phase("what was left"):
        before = left(renewal.store, renewal.name)
    if before is None:
        return None
    try:
        return _Build(renewal, before, crew).done()
    except LargeEditError as reason:
        if renewal.verbose:
            print(f"perfnotes: everything is looked at: {reason} changed", file=sys.stderr)
        return None
    finally:
        renewal.clock.clear()


class _Build:
    """One such build, from what the last whole one left."""

    def __init__(self, renewal: Renewal, before: Left, crew: Pagemakers) -> None:
        self._renewal, self._left, self._crew = renewal, before, crew
        self._old = Path(renewal.entry["place"])
        self._known: dict[str, str] = renewal.entry["files"]
        self._kept = PageCache(renewal.store, before.maker)
        memo = Remembering(renewal.store.objects("layouts"), stores=False)
        self._edit = NotesEdit(before, renewal.notes, renewal.changed, memo)
        self._target = dict(before.files)  # every file of the new site
        self._fresh: dict[str, bytes] = {}  # those of them that are made here
        self._keys: dict[str, str] = {}  # what these pages are kept by

    def done(self) -> EditedBuildResult:
        """Build. Raises LargeEditError before anything in the site is changed."""
        clock, session, edit = self._renewal.clock, self._renewal.session, self._edit
        with clock.phase("read and link"):
            site = edit.site
            changed = edit.differences(site)
        with clock.phase("stage pages"):
            pages = edit.pages(site, changed | _changed(self._renewal.entry["edited"]))
            gone = edit.gone(site)
            stale = self._begin(pages)
        with clock.phase("stage files, index"):
            listings = dict(edit.listings(site, pages, self._rows))
            index = edit.index(site)
        with clock.phase("check"):
            found = self._examined(site, stale, gone)
        with clock.phase("pages"):
            for renewed, (data, done) in zip(stale, self._crew.finish(), strict=True):
                dangers = [locate(site, renewed.page, danger) for danger in done.dangers]
                found += grade(dangers, site.library)
                self._add_page(renewed, data, keep=not dangers)
        clock.clear()
        said = session.report(sorted(found))
        with clock.phase("write the rest"):
            self._leave_out(gone)
            for path, data in listings.items():
                self._add(path, data)
            folder = session.new_folder(self._old)
            self._write(folder, index)
            self._write_last(folder, site, pages, index, listings)
            tree = self._renewal.entry["stage"]
            if tree:
                self._write_tree(Path(tree), folder, pages)
            fresh = {path: folder / path for path in self._fresh}
            for path, file in fresh.items():
                content = self._target[path]
                self._kept.keep(self._keys.get(path, content), file, content)
            put_in_place(self._old, folder, self._changed_files, self._gone)
        count = self._left.count + len(edit.added(site)) - len(gone)
        return EditedBuildResult(said, count, self._target, _as_lists(changed))

    def _rows(self) -> list[Page]:
        return rows(self._renewal.store, self._renewal.name)

    def _examined(
        self, site: Site, stale: Collection[Renewed], gone: Collection[str]
    ) -> list[Finding]:
        """All findings but those of what is dangerous in the pages that are made again."""
        old = self._left
        made = {**old.pages, **{markdown_file(each.page.url): _made(each) for each in stale}}
        for url in gone:
            made.pop(markdown_file(url), None)
        return examine(site, old.findings + [f for each in made.values() for f in each.findings])

    def _leave_out(self, gone: Collection[str]) -> None:
        for url in gone:
            del self._target[f"{url}index.html"], self._target[markdown_file(url)]

    def _begin(self, pages: Mapping[str, Renewed]) -> list[Renewed]:
        """Have those pages made that are others now."""
        stale = []
        reasons = Reasons(self._renewal.store.section("why"), str(self._old), self._left.maker)
        for path, renewed in pages.items():
            url, source, twin = renewed.page.url, renewed.source, renewed.twin
            same = self._left.staged.get(path) == content_digest(source)
            if same and self._left.files.get(path) == content_digest(twin):
                continue
            key = self._kept.key(url, source, twin, own=self._renewal.own)
            why = reasons.of(url, key, source)
            if self._renewal.verbose and why:
                print(f"perfnotes: /{url} is made again: {why}", file=sys.stderr)
            stale.append(renewed)
            self._keys[f"{url}index.html"] = key
            self._crew.add(ToPublish(url, source, twin, own=self._renewal.own))
        return stale

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
        for name, content in index.renamed.items():
            self._target[f"{INDEX_FOLDER}{name}"] = content
        for name, data in index.made.items():
            self._add(f"{INDEX_FOLDER}{name}", data)
        for path in self._changed_files:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            if path in (offline.INDEX, offline.WORKER):
                continue
            if path in self._fresh:
                (folder / path).write_bytes(self._fresh[path])
            elif not self._kept.put(folder / path, self._target[path]):
                raise LargeEditError(f"the cache, which lost {path}, has")

    def _write_last(
        self,
        folder: Path,
        site: Site,
        pages: Mapping[str, Renewed],
        index: Difference,
        listings: Collection[str],
    ) -> None:
        """Write the files that are made from the digests of all others.

        Raises LargeEditError where one of them is not made any more, or only now.
        """
        staged = dict(self._left.staged)
        staged |= {path: content_digest(renewed.source) for path, renewed in pages.items()}
        staged |= {path: self._target[path] for path in listings}
        for url in self._edit.gone(site):
            del staged[markdown_file(url)]
        for name in index.gone:
            staged.pop(f"{INDEX_FOLDER}{name}", None)
        for name in (*index.made, *index.renamed):
            staged[f"{INDEX_FOLDER}{name}"] = self._target[f"{INDEX_FOLDER}{name}"]
        shards = [p for p in staged if p.startswith("search/") and p.endswith(".js")]
        size = sum(self._file(folder, path).stat().st_size for path in shards)
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

    def _file(self, folder: Path, path: str) -> Path:
        """Where a file of the new site lies now."""
        same = self._known.get(path) == self._target[path]
        return (self._old if same else folder) / path

    def _packed(self, folder: Path, shards: Collection[str]) -> bytes:
        """The index in one file, most of it as it stands in that of the old site."""
        texts: dict[str, str] = json.loads((self._old / offline.INDEX).read_bytes())
        for path in shards:
            if self._known.get(path) != self._target[path]:
                texts[path] = (folder / path).read_text("utf-8")
        return offline.packed({path: texts[path] for path in shards})

    def _write_tree(self, tree: Path, folder: Path, pages: Mapping[str, Renewed]) -> None:
        """Bring the staged tree up to date: of what is no page it holds the same files."""
        twins = {markdown_file(renewed.page.url) for renewed in pages.values()}
        files = {path: renewed.source for path, renewed in pages.items()}
        for path in self._target.keys() | self._known.keys():
            if self._target.get(path) == self._known.get(path) or path in twins:
                continue
            if path.endswith("/index.html") or path == "index.html":
                continue
            if path not in self._target:
                (tree / path).unlink(missing_ok=True)
            else:
                files[path] = (folder / path).read_bytes()
        for path, data in files.items():
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists() or file.read_bytes() != data:
                write_atomically(file, data)


def _made(renewed: Renewed) -> Made:
    return Made(renewed.page.files, renewed.page.findings)


def _as_lists(changed: ChangedTexts) -> dict[str, list[str]]:
    """``changed`` as JSON."""
    return {
        "notes": sorted(changed.notes),
        "quoted": sorted(changed.quoted),
        "sized": sorted(changed.sized),
    }


def _changed(lists: Mapping[str, list[str]]) -> ChangedTexts:
    """What ``_as_lists`` gave; after a whole build nothing has changed."""
    notes, quoted, sized = (frozenset(lists.get(k, ())) for k in ("notes", "quoted", "sized"))
    return ChangedTexts(notes, quoted, sized)
