"""The main loop of ``perfnotes serve``: what happens when files change and when a build is done."""

from __future__ import annotations

import queue
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from perfnotes.build.configuration import configuration
from perfnotes.build.settings import own_themes
from perfnotes.report.text import write as as_text
from perfnotes.serve.builder import Builder, BuilderAnswer, site_folder
from perfnotes.serve.preview import Preview
from perfnotes.serve.server import ServedSite, Server, server_at
from perfnotes.serve.watch import Watch
from perfnotes.serve.worker import overrides
from perfnotes.source.project import UsageError
from perfnotes.storage.digests import content_digest
from perfnotes.storage.store import FOLDER, Store
from perfnotes.text.findings import Finding, Severity

_TOGETHER = 0.006  # seconds in which changes of several files count as one edit
# Seconds that a browser gets to load and paint the edited page, before everything else is made that
# the edit concerns.
_TO_PAINT = 0.15


def gather(
    first: object, news: queue.SimpleQueue[object]
) -> tuple[list[Path], list[BuilderAnswer]]:
    """Return changed files, each once, and answers, from ``first`` and the news right after it."""
    all_news = [first]
    while True:
        try:
            all_news.append(news.get(timeout=_TOGETHER))
        except queue.Empty:
            break
    files = dict.fromkeys(each for each in all_news if isinstance(each, Path))
    return list(files), [each for each in all_news if isinstance(each, BuilderAnswer)]


class Serving:
    """Serves the project at ``root``, or the folder ``notes``, at ``port`` until Ctrl-C.

    Edits are counted. An edit's number says which pages and builds show it already.
    """

    def __init__(self, root: Path, notes: Path | None, port: int) -> None:
        self._root, self._notes, self._port = root, notes.resolve() if notes else None, port
        self._news: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._served = ServedSite(
            Path(), findings_at=self._findings_at, before_showing=self._show_newest
        )
        self._making = threading.Lock()  # held while pages are made from ``_preview``
        self._edits = 0  # how many there were
        self._shown_edit = 0  # the last edit that all open pages and the findings show
        # The number of the last edit that the preview of an address shows.
        self._preview_edits: dict[str, int] = {}
        self._changed = False  # whether there was an edit after the last build began
        self._built_edit = 0  # the last edit before the last build began
        self._findings: list[Finding] = []
        self._printed: set[Finding] = set()
        self._themes: list[Path] = []  # the folders of the site's templates
        self._is_broken = False  # whether the settings could not be read when they last changed
        self._watch: Watch | None = None
        self._builder: Builder | None = None
        self._preview: Preview | None = None

    def run(self, opened: Callable[[str], object] | None = None) -> None:
        """Serve until Ctrl-C. ``opened`` is called with the address once the site is there."""
        try:
            # The port comes first: if it is taken, nothing else is started.
            with server_at(self._port, self._served) as server, site_folder(self._root) as folder:
                self._served.site = folder / "site"
                self._serve(server, opened)
        except KeyboardInterrupt:
            print("perfnotes: ended", file=sys.stderr)

    def _serve(self, server: Server, opened: Callable[[str], object] | None) -> None:
        try:
            self._begin(self._configuration())
            self._wait_for_site()
            address = f"http://127.0.0.1:{server.server_port}/"
            print(f"perfnotes: {address} follows every edit; Ctrl-C ends it", file=sys.stderr)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            if opened:
                opened(address)
            while True:
                self._handle_next()
        finally:
            if self._watch:
                self._watch.stop()
            if self._builder:
                self._builder.end()

    def _configuration(self) -> Any:
        """Read the settings. Raises UsageError if they are broken."""
        return configuration(self._root, **overrides(self._served.site, self._notes))

    def _begin(self, config: Any) -> None:
        """Start a worker and a preview with these settings."""
        if self._watch is None:
            settings = self._root / "mkdocs.yml"
            folders = [self._notes] if self._notes else [self._root / "notes"]
            self._themes = [Path(folder) for folder in own_themes(config)]
            folders += [self._root / "docs", *self._themes]
            self._watch = Watch(self._news, [f for f in folders if f.is_dir()], [settings])
            self._watch.start()
        self._builder = Builder(self._root, self._served.site, self._notes, self._news)
        self._build()
        preview = Preview(config, self._root, self._notes, Store(self._root / FOLDER))
        with self._making:
            self._preview = preview

    def _wait_for_site(self) -> None:
        while not self._served.site.exists():
            self._handle(self._news.get())

    def _handle_next(self) -> None:
        """Handle the next news. If none come for a moment after an edit, finish the edit."""
        is_finished = self._shown_edit >= self._edits
        if is_finished and self._news.empty() and self._warm_up():
            return
        try:
            news = self._news.get(timeout=None if is_finished else _TO_PAINT)
        except queue.Empty:
            self._finish_edits()
        else:
            self._handle(news)

    def _warm_up(self) -> bool:
        assert self._preview
        with self._making:
            return self._preview.warm_up_next()

    def _finish_edits(self) -> None:
        """Start a build, bring every open page up to date, and check."""
        self._shown_edit = self._edits
        if self._changed and self._builder and not self._builder.busy:
            self._build()
        self._show_open()
        self._check()

    def _handle(self, news: object) -> None:
        if isinstance(news, BuilderAnswer):
            if news.builder is self._builder:
                self._built(news.answer)
            return
        changed, answers = gather(news, self._news)
        for answer in answers:
            self._handle(answer)
        self._edited(changed)

    def _edited(self, files: list[Path]) -> None:
        """Show the pages of these files at once; ``_finish_edits`` does the rest."""
        texts = [path for path in files if not self._is_setting(path)]
        if len(texts) < len(files) and self._restart():
            return
        if not texts:
            return
        assert self._preview
        self._edits += 1
        self._changed = True
        with self._making:
            self._preview.reread(texts)
            self._send(self._preview.pages(texts))

    def _show_open(self) -> None:
        """Make a new preview of every open page that does not show the last edit."""
        assert self._preview
        for url in self._served.news.open_pages():
            with self._making:
                if self._preview_edits.get(url, 0) < self._edits:
                    self._send([(url, self._preview.page_at(url))])

    def _show_newest(self, url: str) -> None:
        """Make a preview of a page that a browser asks for, if no build has the last edit yet."""
        if not self._is_behind():
            return
        with self._making:
            # Asked again with the lock: a build that has ended meanwhile has removed its previews,
            # and none may be made after it.
            if self._is_behind() and self._preview_edits.get(url, 0) < self._edits:
                assert self._preview
                self._send([(url, self._preview.page_at(url))])

    def _is_behind(self) -> bool:
        """Whether previews can be made, and no build has finished since the last edit."""
        is_building = self._builder is not None and self._builder.busy
        return self._preview is not None and (self._changed or is_building)

    def _send(self, pages: Iterable[tuple[str, bytes]]) -> None:
        """Keep pages made after the last edit as previews, and send news of those that differ."""
        fresh: dict[str, str] = {}
        for url, data in pages:
            if data and data != self._served.page(url):
                self._served.previews[url] = data
                self._preview_edits[url] = self._edits
                fresh[url] = content_digest(data)
        if fresh:
            self._served.news.send("pages", fresh)

    def _is_setting(self, path: Path) -> bool:
        own = any(folder in path.parents for folder in self._themes)
        return own or path == self._root / "mkdocs.yml"

    def _restart(self) -> bool:
        """Start a new worker and preview after a change of settings or templates.

        If the settings are broken, print why, go on as before and return False.
        """
        try:
            config = self._configuration()
        except UsageError as problem:
            _tell_problem(str(problem))
            self._is_broken = True
            return False
        if self._is_broken:
            print("perfnotes: the settings are mended", file=sys.stderr)
            self._is_broken = False
        # The old worker ends first: both build into one folder, and what it still wrote there
        # could replace pages of the new one.
        if self._builder:
            self._builder.end()
        self._begin(config)
        return True

    def _build(self) -> None:
        assert self._builder
        self._built_edit = self._edits
        self._changed = False
        self._builder.build()

    def _built(self, answer: dict[str, Any] | None) -> None:
        """Show what a build made; ``answer`` is the worker's, or None if the worker has ended."""
        assert self._builder
        self._builder.busy = False
        if answer is None:
            raise UsageError("the process that builds has ended; its messages are above")
        if "problem" in answer:
            if not self._served.site.exists():
                raise UsageError(answer["problem"])
            _tell_problem(answer["problem"])
        else:
            self._publish(answer)
        if self._changed:
            self._build()

    def _publish(self, answer: dict[str, Any]) -> None:
        """Let the pages of a build replace the previews that show no later edit."""
        assert self._preview
        with self._making:
            replaced = {
                url for url, edit in self._preview_edits.items() if edit <= self._built_edit
            }
            replaced -= self._preview.broken
            for url in replaced:
                del self._preview_edits[url]
                self._served.previews.pop(url, None)
        # Every open page is told its version, not only those that the build made: if an edit was
        # undone before the worker read it, or a setting is as it was before, the build makes
        # nothing new, but a browser may show another page.
        pages = self._served.news.open_pages()
        self._served.news.send("pages", {url: self._served.digest(url) for url in pages})
        if not self._changed:
            self._tell(sorted(_finding(data) for data in answer["findings"]))

    def _check(self) -> None:
        """Tell the findings of the checks now; dangers in all pages come with the next build."""
        assert self._preview
        self._tell(self._preview.findings())

    def _tell(self, findings: list[Finding]) -> None:
        """Print which findings are new and how many are gone, and tell open pages."""
        if findings == self._findings:
            return
        self._findings = findings
        now = {f for f in findings if f.severity is not Severity.NOTE}
        fresh, gone = sorted(now - self._printed), len(self._printed - now)
        self._printed = now
        sys.stderr.write(as_text(fresh))
        if gone:
            print(f"perfnotes: findings: {gone} no longer found, {len(now)} left", file=sys.stderr)
        self._served.news.send("wrong", {})

    def _findings_at(self, url: str) -> list[dict[str, object]]:
        """Return the findings in the text of the page at ``url``, as ``live.js`` shows them."""
        if self._preview is None:
            return []
        source = self._preview.source_of(url)
        findings = [f for f in self._findings if f.path == source]
        shown = [f for f in findings if f.severity is not Severity.NOTE]
        return [self._preview.finding_data(finding) for finding in shown]


def _tell_problem(problem: str) -> None:
    print(f"perfnotes: {problem}\nperfnotes: still serving as before", file=sys.stderr)


def _finding(data: dict[str, Any]) -> Finding:
    return Finding(**{**data, "severity": Severity(data["severity"])})


def open_later(address: str) -> None:
    """Open a browser without waiting for it."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
