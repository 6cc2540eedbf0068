"""``perfnotes serve``: what happens when a file has changed, and when a build is done."""

from __future__ import annotations

import errno
import os
import queue
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from perfnotes.build.configuration import configuration
from perfnotes.build.settings import own_themes
from perfnotes.report.text import write as as_text
from perfnotes.serve.builder import Builder, BuilderAnswer
from perfnotes.serve.preview import Preview
from perfnotes.serve.server import ServedPage, Server
from perfnotes.serve.watch import Watch
from perfnotes.serve.worker import overrides
from perfnotes.source.project import UsageError
from perfnotes.storage.digests import content_digest
from perfnotes.storage.store import FOLDER, Store
from perfnotes.storage.temporary import temporary_folder
from perfnotes.text.findings import Finding, Severity

_TOGETHER = 0.006  # seconds in which changes of several files count as one
# Seconds for a browser to ask for the page of a text that was edited and to paint it, before all
# else is made that the edit concerns.
_TO_PAINT = 0.15


def gather(
    first: object, news: queue.SimpleQueue[object]
) -> tuple[list[Path], list[BuilderAnswer]]:
    """The first news and what comes right after it: the files, each once, and the answers."""
    all_news = [first]
    while True:
        try:
            all_news.append(news.get(timeout=_TOGETHER))
        except queue.Empty:
            break
    files = dict.fromkeys(each for each in all_news if isinstance(each, Path))
    return list(files), [each for each in all_news if isinstance(each, BuilderAnswer)]


class Serving:
    """One project, or a folder of ``notes``, served at ``port`` until it is interrupted."""

    def __init__(self, root: Path, notes: Path | None, port: int) -> None:
        self._root, self._notes, self._port = root, notes.resolve() if notes else None, port
        self._news: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._shown = ServedPage(Path(), wrong=self._wrong, before_showing=self._show_newest)
        self._making = threading.Lock()  # whoever makes pages in memory holds it
        self._edits = 0
        self._seen = 0  # the last edit that open pages and findings show
        self._newer: dict[str, int] = {}  # by address the edit that a page made here shows
        self._changed = False  # whether there is an edit that no build has seen
        self._building = 0  # the last edit that the build in progress sees
        self._findings: list[Finding] = []
        self._told: set[Finding] = set()
        self._themes: list[Path] = []  # the folders of the site's templates
        self._watch: Watch | None = None
        self._builder: Builder | None = None
        self._preview: Preview | None = None

    def run(self, opened: Callable[[str], object] | None = None) -> None:
        """Serve until Ctrl-C; ``opened`` is called with the address once there is something."""
        try:
            # First the port: nothing is begun where it is taken.
            with self._server() as server, _site_folder(self._root) as folder:
                self._shown.site = folder / "site"
                self._serve(server, opened)
        except KeyboardInterrupt:
            print("perfnotes: ended", file=sys.stderr)

    def _server(self) -> Server:
        try:
            return Server(self._shown, self._port)
        except OSError as error:
            why = error.strerror or str(error)
            if error.errno == errno.EADDRINUSE:
                why = "another program uses it, perhaps `perfnotes serve` in another terminal"
            hint = "end that one or choose another port, such as --port 8123"
            if error.errno == errno.EACCES:
                hint = "choose one from 1024 on, such as --port 8123"
            raise UsageError(f"port {self._port} cannot be served: {why} ({hint})") from None

    def _serve(self, server: Server, opened: Callable[[str], object] | None) -> None:
        try:
            self._begin()
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

    def _begin(self) -> None:
        """Read the settings, and begin a worker and a preview of the notes by them."""
        config = configuration(**overrides(self._shown.site, self._notes))
        if self._watch is None:
            settings = self._root / "mkdocs.yml"
            folders = [self._notes] if self._notes else [self._root / "notes"]
            self._themes = [Path(folder) for folder in own_themes(config)]
            folders += [self._root / "docs", *self._themes]
            self._watch = Watch(self._news, [f for f in folders if f.is_dir()], [settings])
            self._watch.start()
        self._builder = Builder(self._root, self._shown.site, self._notes, self._news)
        self._build()
        store = Store(self._root / FOLDER)
        self._preview = Preview(config, self._root, self._notes, store)

    def _wait_for_site(self) -> None:
        while not self._shown.site.exists():
            self._handle(self._news.get())

    def _handle_next(self) -> None:
        """Do what the next news want; if none come after an edit, all else that it concerns."""
        try:
            news = self._news.get(timeout=_TO_PAINT if self._seen < self._edits else None)
        except queue.Empty:
            self._finish_edits()
        else:
            self._handle(news)

    def _finish_edits(self) -> None:
        """Have the site built after edits, show them on every open page, and check."""
        self._seen = self._edits
        if self._changed and self._builder and not self._builder.busy:
            self._build()
        self._show_open()
        self._check()

    def _handle(self, news: object) -> None:
        if isinstance(news, BuilderAnswer):
            if news.worker is self._builder:
                self._built(news.said)
            return
        changed, answers = gather(news, self._news)
        for answer in answers:
            self._handle(answer)
        self._edited(changed)

    def _edited(self, files: list[Path]) -> None:
        """Show the pages of these texts at once; ``_finish_edits`` does the rest."""
        texts = [path for path in files if not self._is_setting(path)]
        if len(texts) < len(files) and self._again():
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
        """Make every page that is open in a browser as it is after the last edit."""
        assert self._preview
        for url in self._shown.news.open_pages():
            with self._making:
                if self._newer.get(url, 0) < self._edits:
                    self._send([(url, self._preview.page_at(url))])

    def _show_newest(self, url: str) -> None:
        """Make a page that a browser asks for, if the build has not come to the last edit."""
        if self._preview and (self._changed or (self._builder and self._builder.busy)):
            with self._making:
                if self._edits and self._newer.get(url, 0) < self._edits:
                    self._send([(url, self._preview.page_at(url))])

    def _send(self, pages: Iterable[tuple[str, bytes]]) -> None:
        """Show these pages, which were made after the last edit, where they are different."""
        fresh: dict[str, str] = {}
        for url, data in pages:
            if data and data != self._shown.page(url):
                self._shown.newer[url] = data
                self._newer[url] = self._edits
                fresh[url] = content_digest(data)
        if fresh:
            self._shown.news.send("pages", fresh)

    def _is_setting(self, path: Path) -> bool:
        own = any(folder in path.parents for folder in self._themes)
        return own or path == self._root / "mkdocs.yml"

    def _again(self) -> bool:
        """Begin anew, since settings or templates have changed; all texts are read again as well.

        Where the settings are broken, say why, go on as before and return False.
        """
        old = self._builder
        try:
            self._begin()
        except UsageError as problem:
            print(f"perfnotes: {problem}\nperfnotes: still serving as before", file=sys.stderr)
            return False
        if old:
            old.end()
        return True

    def _build(self) -> None:
        assert self._builder
        self._building = self._edits
        self._changed = False
        self._builder.build()

    def _built(self, said: dict[str, Any] | None) -> None:
        assert self._builder
        self._builder.busy = False
        if said is None:
            raise UsageError("the process that builds has ended; what it said is above")
        if "problem" in said:
            print(f"perfnotes: {said['problem']}", file=sys.stderr)
        else:
            self._publish(said)
        if self._changed:
            self._build()

    def _publish(self, said: dict[str, Any]) -> None:
        """What the worker made takes the place of what was made here in a hurry."""
        assert self._preview
        with self._making:
            seen = {url for url, edit in self._newer.items() if edit <= self._building}
            seen -= self._preview.broken
            for url in seen:
                del self._newer[url]
                self._shown.newer.pop(url, None)
        # Where an edit was undone before the worker read it, the worker made nothing, but a browser
        # shows the page that was made here.
        told = {*said["made"], *seen}
        self._shown.news.send("pages", {url: self._shown.digest(url) for url in told})
        if not self._changed:
            self._tell(sorted(_finding(data) for data in said["findings"]))

    def _check(self) -> None:
        """What the checks say at once; the judge of all other pages speaks with the next build."""
        assert self._preview
        self._tell(self._preview.findings())

    def _tell(self, findings: list[Finding]) -> None:
        """Say what is new and what is mended, here and on the pages."""
        if findings == self._findings:
            return
        self._findings = findings
        now = {f for f in findings if f.severity is not Severity.NOTE}
        fresh, gone = sorted(now - self._told), len(self._told - now)
        self._told = now
        sys.stderr.write(as_text(fresh))
        if gone:
            print(f"perfnotes: {gone} no longer found, {len(now)} left", file=sys.stderr)
        self._shown.news.send("wrong", {})

    def _wrong(self, url: str) -> list[dict[str, object]]:
        """The findings of the page at ``url``."""
        if self._preview is None:
            return []
        source = self._preview.source_of(url)
        findings = [f for f in self._findings if f.path == source]
        shown = [f for f in findings if f.severity is not Severity.NOTE]
        return [self._preview.place(finding) for finding in shown]


def _finding(data: dict[str, Any]) -> Finding:
    return Finding(**{**data, "severity": Severity(data["severity"])})


@contextmanager
def _site_folder(root: Path) -> Iterator[Path]:
    """A folder for the served site: where pages of the cache need not be copied, if possible."""
    base = root / FOLDER / "served"
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
    with temporary_folder(base if os.access(base, os.W_OK) else None) as folder:
        yield folder


def open_later(address: str) -> None:
    """Open a browser without waiting for it."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
