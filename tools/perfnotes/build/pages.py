"""The pages of one build: each comes from the cache, or the next free process makes it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from perfnotes.build.clock import Clock
from perfnotes.build.messages import STEPS, Published, ToPublish
from perfnotes.build.page_cache import PageCache
from perfnotes.build.process_pool import ProcessPool
from perfnotes.build.rebuild_reasons import Reasons, print_reason
from perfnotes.graph.address import markdown_file
from perfnotes.storage.system_errors import write_file

_FROM_CACHE = Published([], b"", ())


class _RequestedPage(Struct, frozen=True):
    """A page that a process has to make; ``number`` is its place among all pages."""

    number: int
    url: str
    key: str  # under which the cache keeps the page
    article_key: str


class Pages:
    """Takes each page as soon as it is staged, and puts it into ``folder``, the new site.

    ``own`` says whether the notes are the project's own. Unsafe HTML is made harmless with
    ``mend``; without it the page is not made. With ``verbose`` it is printed why a page is made.
    """

    def __init__(
        self,
        pool: ProcessPool[ToPublish, Published],
        cache: PageCache,
        reasons: Reasons,
        folder: Path,
        *,
        own: bool,
        mend: bool,
        verbose: bool,
    ) -> None:
        self._pool, self._cache, self._reasons, self._folder = pool, cache, reasons, folder
        self._own, self._mend, self._verbose = own, mend, verbose
        self._count = 0
        self._requested: list[_RequestedPage] = []
        # The digests of those files of pages that the cache keeps, by path.
        self.digests: dict[str, str] = {}

    @property
    def made(self) -> tuple[str, ...]:
        """The addresses of the pages that were not in the cache."""
        return tuple(page.url for page in self._requested)

    def add(self, url: str, source: bytes, markdown: bytes) -> None:
        """Put a staged page into the site from the cache, or have it made."""
        key = self._cache.key(url, source, markdown, own=self._own)
        why = self._reasons.of(url, key, source)
        if self._restore(url, key):
            write_file(self._folder / markdown_file(url), markdown)
        else:
            if self._verbose:
                print_reason(url, why)
            article_key = self._cache.article_key(source)
            self._requested.append(_RequestedPage(self._count, url, key, article_key))
            article = self._cache.article(article_key)
            self._pool.add(ToPublish(url, source, markdown, self._mend, article))
        self._count += 1

    def _restore(self, url: str, key: str) -> bool:
        """Put a page from the cache into the site; False if the cache does not have it."""
        content = self._cache.content(key)
        if not content:
            return False
        folder = self._folder / url
        folder.mkdir(parents=True, exist_ok=True)
        if not self._cache.put(folder / "index.html", content):
            return False
        self.digests[f"{url}index.html"] = content
        return True

    def finish(self, clock: Clock) -> list[Published]:
        """Wait for all pages; return what came of each, in the order in which they were added."""
        total = len(self._requested)
        results = self._pool.finish(lambda: clock.show("pages", total - self._pool.left, total))
        published = [_FROM_CACHE] * self._count
        for page, done in zip(self._requested, results, strict=True):
            published[page.number] = done
            for step, spent in zip(STEPS, done.seconds, strict=bool(done.seconds)):
                clock.add(step, spent)
            if done.content and not done.dangers:
                self._cache.keep(page.key, self._folder / page.url / "index.html", done.content)
                self._cache.keep_article(page.article_key, done.content, done.article)
                self.digests[f"{page.url}index.html"] = done.content
        self._cache.save()
        return published
