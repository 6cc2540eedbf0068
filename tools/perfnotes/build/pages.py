"""The pages of one build: each from the cache or made anew, by whatever process is free."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec import Struct

from perfnotes.build.clock import Clock
from perfnotes.build.messages import STEPS, Published, ToPublish
from perfnotes.build.page_cache import PageCache
from perfnotes.build.process_pool import ProcessPool
from perfnotes.build.rebuild_reasons import Reasons
from perfnotes.graph.address import markdown_file

_KEPT = Published([], b"", ())


class _Made(Struct, frozen=True):
    """A page that is made anew, by its number among all pages."""

    number: int
    url: str
    key: str
    article: str  # what its article is kept by


class Pages:
    """Takes pages as they are staged; ``folder`` is where the new site is made.

    ``own`` notes are known to be ours, what is unsafe in them is ``mend``ed or stops the build;
    ``verbose`` says of each page that is made anew why.
    """

    def __init__(
        self,
        pool: ProcessPool[ToPublish, Published],
        kept: PageCache,
        reasons: Reasons,
        folder: Path,
        *,
        own: bool,
        mend: bool,
        verbose: bool,
    ) -> None:
        self._pool, self._kept, self._reasons, self._folder = pool, kept, reasons, folder
        self._own, self._mend, self._verbose = own, mend, verbose
        self._count = 0
        self._waiting: list[_Made] = []
        self.digests: dict[str, str] = {}  # of the pages' files, by path

    @property
    def made(self) -> tuple[str, ...]:
        """The addresses of the pages that were not in the cache."""
        return tuple(page.url for page in self._waiting)

    def add(self, url: str, source: bytes, twin: bytes) -> None:
        """A staged page: put the one that is kept into the site, or have it made."""
        key = self._kept.key(url, source, twin, own=self._own)
        why = self._reasons.of(url, key, source)
        if self._restored(url, key):
            (self._folder / markdown_file(url)).write_bytes(twin)
        else:
            if self._verbose:
                what = why or "it is not in the cache"
                print(f"perfnotes: /{url} is made again: {what}", file=sys.stderr)
            made = _Made(self._count, url, key, self._kept.article_key(source))
            self._waiting.append(made)
            article = self._kept.article(made.article)
            self._pool.add(ToPublish(url, source, twin, not self._mend, article))
        self._count += 1

    def _restored(self, url: str, key: str) -> bool:
        content = self._kept.content(key)
        if not content:
            return False
        folder = self._folder / url
        folder.mkdir(parents=True, exist_ok=True)
        if not self._kept.put(folder / "index.html", content):
            return False
        self.digests[f"{url}index.html"] = content
        return True

    def finish(self, clock: Clock) -> list[Published]:
        """Wait for all pages; what came out of each, in the order in which they were added."""
        total = len(self._waiting)
        results = self._pool.finish(lambda: clock.show("pages", total - self._pool.left, total))
        published = [_KEPT] * self._count
        for page, done in zip(self._waiting, results, strict=True):
            published[page.number] = done
            for step, spent in zip(STEPS, done.seconds, strict=bool(done.seconds)):
                clock.add(step, spent)
            if done.content and not done.dangers:
                self._kept.keep(page.key, self._folder / page.url / "index.html", done.content)
                self._kept.keep_article(page.article, done.content, done.article)
                self.digests[f"{page.url}index.html"] = done.content
        self._kept.save()
        return published
