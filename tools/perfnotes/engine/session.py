"""A Session: one build through MkDocs, from the notes to the finished site.

The site is made in a folder of its own and exchanged with the last one in a single step, so a full
disk, an error or Ctrl-C leaves the last good site whole. Two builds of one staged tree take turns.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mkdocs.exceptions import Abort, MkDocsException

from perfnotes.check import shown_as
from perfnotes.checks import examine, grade
from perfnotes.engine.markdown import Html, MarkdownEngine
from perfnotes.engine.prepare import prepare
from perfnotes.engine.safety import judge
from perfnotes.engine.settings import site_settings
from perfnotes.findings import Finding, Severity
from perfnotes.history import read_history
from perfnotes.link.graph import link
from perfnotes.locate import locate
from perfnotes.read.folder import read_library
from perfnotes.read.site import read_site_pages
from perfnotes.report.text import write as as_text
from perfnotes.site import Site
from perfnotes.stage import Stage, stage
from perfnotes.write import FolderLock, NewFolder, put_tree


def is_replaceable(folder: Path) -> bool:
    """Whether nothing is lost when a site takes the folder's place.

    A hidden file at the top of a site, such as ``.git``, did not come from us.
    """
    if not folder.exists():
        return True
    if not folder.is_dir():
        return False
    is_site = (folder / "assets" / "perfnotes").is_dir() and not any(folder.glob(".*"))
    return is_site or not any(folder.iterdir())


class Session:
    """``notes`` is the folder to build when it is not the repository's own."""

    def __init__(
        self,
        notes: Path | None = None,
        *,
        quiet: bool = False,
        strict: bool = False,
        prepare: bool = False,
    ) -> None:
        self.notes = notes
        self.quiet = quiet
        self.strict = strict
        self.prepare = prepare
        self.staged = Stage()
        self.built = 0  # pages
        self.prepared: dict[str, Html] = {}
        self.findings: list[Finding] = []
        self._site: Site | None = None
        self._unsafe: list[Finding] = []  # found while MkDocs renders, when nothing was prepared
        self._told = False
        self._place = ""  # the site_dir of mkdocs.yml
        self._new: NewFolder | None = None
        self._lock: FolderLock | None = None

    def begin(self, config: Any) -> Any:
        """Read, link, check and stage; raises Abort where the findings forbid a site."""
        self._unsafe = []
        tree = Path(config["docs_dir"])
        tree.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock.wait(tree, self._say_waiting)
        self.strict = self.strict or bool(config["strict"])
        site = self.read(config)
        self._site = site
        self.staged = stage(site)
        self.findings = examine(site, self.staged)
        if self.prepare:
            self._prepare(config)
        self._report()
        put_tree(tree, self.staged.files, keep=(".gitkeep",))
        os.environ.setdefault("SOURCE_DATE_EPOCH", str(site.history.timestamp))
        self.built = len(self.staged.pages)
        if self.prepare:
            # MkDocs has all it needs; a large site should not lie in memory twice.
            self._site = None
            self.staged = Stage(twins=self.staged.twins)
        self._place = config["site_dir"]
        if not is_replaceable(Path(self._place)):
            raise Abort(
                f"perfnotes: {self._place} holds something else than a site of perfnotes, and a "
                "build replaces all of it: empty it or name another folder"
            )
        self._new = NewFolder(Path(self._place))
        config["site_dir"] = str(self._new.make())
        return config

    def read(self, config: Any) -> Site:
        root = Path(config["config_file_path"]).resolve().parent
        own = self.notes is None
        notes = root / "notes" if self.notes is None else self.notes
        library = read_library(notes, shown_as(notes))
        if own:
            read_site_pages(library, root / "docs", shown_as(root / "docs"))
        history = read_history(root) if own else None
        if history and history.missing and not self.quiet and not self._told:
            print(f"perfnotes: {history.missing}", file=sys.stderr)
            self._told = True  # once is enough while a server runs
        settings = site_settings(config)
        graph = link(library)
        return Site(graph, settings, history) if history else Site(graph, settings)

    def page(self, html: str, path: str) -> str:
        """Judge a page's HTML, unless it was judged when it was prepared."""
        if not self.prepare:
            self._judge(html, path)
        return html

    def _judge(self, html: str, path: str) -> None:
        page = self.staged.pages.get(path)
        if page and self._site:
            self._unsafe += [locate(self._site, page, danger) for danger in judge(html)]

    def decide(self) -> None:
        """Refuse the site where a page is unsafe."""
        if self._unsafe and self._site:
            self._stop(grade(self._unsafe, self._site.library))

    def finish(self, config: Any) -> None:
        """Add the Markdown twins and put the site in its place."""
        if self._new is None:
            return
        for path, data in self.staged.twins.items():
            file = Path(config["site_dir"]) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        self._new.publish()
        config["site_dir"] = self._place
        self.abandon()
        if not self.prepare:  # MkDocs has named the temporary folder
            logging.getLogger("mkdocs.plugins.perfnotes").info(f"The site is in {self._place}")

    def abandon(self) -> None:
        """Leave nothing half done behind; after ``finish`` there is nothing."""
        if self._new:
            self._new.drop()
            self._new = None
        if self._lock:
            self._lock.release()
            self._lock = None

    def watch(self, server: Any, config: Any) -> Any:
        """Follow what people write, not the staged tree; and go on after an edit that is wrong."""
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

    def _prepare(self, config: Any) -> None:
        """Make every page's HTML now and judge it; MkDocs takes it from here."""
        assert self._site
        engine = MarkdownEngine(config["markdown_extensions"], config["mdx_configs"])
        self.prepared, unsafe = prepare(self._site, self.staged, engine)
        self.findings = sorted([*self.findings, *grade(unsafe, self._site.library)])

    def _report(self) -> None:
        stopping = [f for f in self.findings if f.severity is Severity.ERROR]
        warnings = [f for f in self.findings if f.severity is Severity.WARNING]
        if self.strict:
            stopping, warnings = sorted(stopping + warnings), []
        if stopping:
            self._stop(stopping)
        if not self.quiet:
            sys.stderr.write(as_text(warnings))

    def _stop(self, errors: list[Finding]) -> None:
        self.abandon()
        sys.stderr.write(as_text(errors))
        many = f"{len(errors)} errors" if len(errors) > 1 else "1 error"
        raise Abort(f"perfnotes: {many}; the site was not built")


@dataclass
class _Current:
    """MkDocs loads hooks by path and calls plain functions: this is where they find the session."""

    session: Session


current = _Current(Session())
