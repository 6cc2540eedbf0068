"""A Session: one build, from the notes to the finished site, by us or through MkDocs.

The site is made in a folder of its own and exchanged with the last one in a single step, so a full
disk, an error or Ctrl-C leaves the last good site whole. Two builds of one staged tree take turns.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

from msgspec import Struct

from perfnotes.build.check import shown_as
from perfnotes.build.settings import build_settings
from perfnotes.checks import examine, grade
from perfnotes.graph.graph import Graph, link
from perfnotes.graph.site import Settings, Site
from perfnotes.model.library import Library
from perfnotes.report.text import write as as_text
from perfnotes.site.locate import locate
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage, stage
from perfnotes.source.history import History, read_history
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import InMemory, Memo
from perfnotes.source.read.site import read_site_pages
from perfnotes.storage.exchange import complete
from perfnotes.storage.write import FolderLock, NewFolder, is_replaceable, put_tree
from perfnotes.text.findings import Finding, Severity


class Session:
    """``notes`` is the folder to build when it is not the repository's own."""

    def __init__(
        self,
        notes: Path | None = None,
        *,
        quiet: bool = False,
        strict: bool = False,
        memo: Memo | None = None,
        layouts: Memo | None = None,
        missing: str = "",
    ) -> None:
        self.notes = notes
        self.memo = memo or Memo()
        self.library_memo = InMemory(self.memo)  # what ``library_of`` read
        self.layouts = layouts or self.memo
        self.quiet = quiet
        self.strict = strict
        self._site: Site | None = None
        self._staged = Stage()
        self._unsafe: list[Finding] = []  # found while MkDocs renders
        self.missing = missing  # what git cannot tell
        self._place = ""  # the site_dir of mkdocs.yml
        self._new: NewFolder | None = None
        self._lock: FolderLock | None = None

    def read(self, config: Any, before: Graph | None = None) -> Site:
        """The notes, linked, as far as they are not in ``before``; git is asked once."""
        root = Path(config["config_file_path"]).resolve().parent
        return self.site_of(root, build_settings(config), before)

    def site_of(self, root: Path, settings: Settings, before: Graph | None = None) -> Site:
        """The notes of the project at ``root``, with known settings."""
        library = self.library_of(root)
        history = read_history(root) if self.notes is None else None
        if history and history.missing:
            self.tell_missing(f"perfnotes: {history.missing}\n")
        graph = link(library, before)
        return Site(graph, settings, history or History(), self.layouts)

    def library_of(self, root: Path) -> Library:
        """The notes of the project at ``root`` and its pages, before they are linked."""
        notes = root / "notes" if self.notes is None else self.notes
        memo = self.memo
        self.library_memo = memo if isinstance(memo, InMemory) else InMemory(memo)
        library = read_library(notes, shown_as(notes), self.library_memo)
        if self.notes is None:
            read_site_pages(library, root / "docs", shown_as(root / "docs"), self.library_memo)
        return library

    def tell_missing(self, missing: str) -> None:
        """Print what git cannot tell; once is enough while a server runs."""
        told, self.missing = self.missing, missing
        if not self.quiet and not told:
            sys.stderr.write(missing)

    def take_turn(self, folder: Path) -> None:
        """Wait until no other build locks the folder, which is made if it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock.wait(folder, self._say_waiting)

    def new_folder(self, place: Path) -> Path:
        """The folder in which the site is made that will take its ``place``."""
        if not is_replaceable(place):
            raise _abort(
                f"perfnotes: {place} holds something else than a site of perfnotes, and a "
                "build replaces all of it: empty it or name another folder"
            )
        complete(place.resolve())
        self._new = NewFolder(place)
        return self._new.make()

    def report(self, findings: list[Finding]) -> str:
        """Print what is to be told, and give it; raises Abort where the findings forbid a site."""
        stopping = [f for f in findings if f.severity is Severity.ERROR]
        warnings = [f for f in findings if f.severity is Severity.WARNING]
        if self.strict:
            stopping, warnings = sorted(stopping + warnings), []
        if stopping:
            self._stop(stopping)
        said = as_text(warnings)
        if not self.quiet:
            sys.stderr.write(said)
        return self.missing + said

    def publish(self) -> None:
        """Put the finished site in its place."""
        if self._new:
            self._new.publish()
            self.abandon()

    def abandon(self) -> None:
        """Leave nothing half done behind; after ``publish`` there is nothing."""
        if self._new:
            self._new.drop()
            self._new = None
        if self._lock:
            self._lock.release()
            self._lock = None

    def begin(self, config: Any) -> Any:
        """Of MkDocs' own build: read, check and stage; Abort where the findings forbid a site."""
        self._unsafe = []
        tree = Path(config["docs_dir"])
        self.take_turn(tree)
        self.strict = self.strict or bool(config["strict"])
        self._site = self.read(config)
        self._staged = stage(self._site)
        self.report(examine(self._site, self._staged.findings))
        put_tree(tree, self._staged.files, keep=(".gitkeep",))
        os.environ.setdefault("SOURCE_DATE_EPOCH", str(self._site.history.timestamp))
        self._place = config["site_dir"]
        config["site_dir"] = str(self.new_folder(Path(self._place)))
        return config

    def page(self, html: str, path: str) -> None:
        """Judge a page's HTML that MkDocs has made."""
        page = self._staged.pages.get(path)
        if page and self._site:
            self._unsafe += [locate(self._site, page, danger) for danger in judge(html)]

    def decide(self) -> None:
        """Refuse the site where a page is unsafe."""
        if self._unsafe and self._site:
            self._stop(grade(self._unsafe, self._site.library))

    def finish(self, config: Any) -> None:
        """Add the Markdown twins to MkDocs' site and put it in its place."""
        if self._new is None:
            return
        for path, data in self._staged.twins.items():
            file = Path(config["site_dir"]) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        self.publish()
        config["site_dir"] = self._place
        # MkDocs has named the temporary folder.
        logging.getLogger("mkdocs.plugins.perfnotes").info(f"The site is in {self._place}")

    def watch(self, server: Any, config: Any) -> Any:
        """Follow what people write, not the staged tree; and go on after an edit that is wrong."""
        from mkdocs.exceptions import MkDocsException  # noqa: PLC0415

        root = Path(config["config_file_path"]).resolve().parent
        for folder in ("notes", "docs"):
            server.watch(str(root / folder))
        server.unwatch(config["docs_dir"])
        build = server.builder

        def build_or_say_why() -> None:
            try:
                build()
            except (MkDocsException, OSError) as problem:
                print(f"{problem}\nperfnotes: still serving the last good build", file=sys.stderr)

        server.builder = build_or_say_why
        return server

    def _say_waiting(self) -> None:
        print("perfnotes: another build is running here; waiting for its end", file=sys.stderr)

    def _stop(self, errors: list[Finding]) -> None:
        self.abandon()
        sys.stderr.write(as_text(errors))
        many = f"{len(errors)} errors" if len(errors) > 1 else "1 error"
        raise _abort(f"perfnotes: {many}; the site was not built")


def _abort(message: str) -> Exception:
    """Return MkDocs' Abort, which takes long to load and is seldom needed."""
    from mkdocs.exceptions import Abort  # noqa: PLC0415

    return Abort(message)


class _Current(Struct):
    """MkDocs loads hooks by path and calls plain functions: this is where they find the session."""

    session: Session


current = _Current(Session())
