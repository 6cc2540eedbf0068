"""Finished pages of earlier builds, kept by a hash of all that they were made from.

A page is a function of its staged file, its address, the configuration, the templates and the
tools, so one whose hash is known is put into the new site as it is. What is kept is the site's own
file under a second name (a hard link), which costs no room while the site stands. A file that was
changed since, in the site or here, no longer has the hash that was written down for it, and is made
again.

A page whose Markdown is that of an earlier one, with other words around it, gets the HTML of that
page's article: only the template is filled in again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from perfnotes.build.messages import Article, ArticlePlace, Staged
from perfnotes.storage.digests import content_digest, digest
from perfnotes.storage.store import Store
from perfnotes.storage.write import link_or_copy

FOLDER = "pages"
LARGEST = 1024 * 1024 * 1024  # bytes of all kept pages


class Files:
    """The files kept in the cache of ``store``, each named by the digest of its bytes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._index = store.section("pages")  # digest and size, by what a page was made from
        self._folder = store.folder / FOLDER if store.folder else None

    def put(self, target: Path, content: str) -> bool:
        """Put the file with this digest at ``target``, if there is one as it was written."""
        if self._folder is None or self._read(content) is None:
            return False
        try:
            link_or_copy(self._folder / content, target)
        except OSError:
            return False
        return True

    def _read(self, content: str) -> bytes | None:
        """Return the bytes of the kept file with this digest, if it is as it was written."""
        try:
            data = (self._folder / content).read_bytes() if self._folder else b""
        except OSError:
            return None
        return data if content_digest(data) == content else None

    def keep(self, key: str, file: Path, content: str) -> None:
        """Keep a file under a key; ``content`` is its digest."""
        if self._folder is None:
            return
        kept = self._folder / content
        with suppress(OSError):
            try:
                link_or_copy(file, kept)
            except FileNotFoundError:
                self._folder.mkdir(parents=True, exist_ok=True)
                link_or_copy(file, kept)
            except FileExistsError:
                if not kept.samefile(file):  # this one is right, of the other nobody knows
                    kept.unlink()
                    link_or_copy(file, kept)
            self._index.put(key, [content, file.stat().st_size])

    def keep_all(self, folder: Path, known: Mapping[str, str]) -> dict[str, str]:
        """Keep every file below ``folder`` but those ``known``; each file's digest by its path."""
        found: dict[str, str] = {}
        if self._folder is None:
            return found
        start = len(str(folder)) + 1
        for base, _, names in os.walk(folder):
            for name in sorted(names):
                file = Path(base, name)
                path = f"{base}/{name}"[start:]
                content = known.get(path)
                if not content:
                    content = content_digest(file.read_bytes())
                    self.keep(content, file, content)
                found[path] = content
        return found

    def put_all(self, folder: Path, files: Mapping[str, str]) -> bool:
        """Put every file of ``keep_all`` below ``folder``; False where one is not there."""
        made: set[str] = set()
        for path, content in files.items():
            base = path.rpartition("/")[0]
            if base not in made:
                (folder / base).mkdir(parents=True, exist_ok=True)
                made.add(base)
            if not self.put(folder / path, content):
                return False
        return True

    def save(self) -> None:
        """Forget what was not used for longest, beyond the room that there is."""
        if self._folder is None or not self._folder.is_dir():
            return
        room, known = LARGEST, set()
        for key, (content, size) in list(self._index.entries()):
            room -= size
            if room < 0:
                self._index.drop(key)
            else:
                known.add(content)
        self._store.save()
        if not self._store.is_usable:
            return  # nobody can tell which files are in use
        with suppress(OSError):
            for name in set(os.listdir(self._folder)) - known:  # noqa: PTH208
                (self._folder / name).unlink(missing_ok=True)


class PageCache(Files):
    """Finished pages by what they were made from; without a ``maker``, none."""

    def __init__(self, store: Store, maker: str) -> None:
        super().__init__(store if maker else Store(None))
        self.maker = maker
        self._articles = self._store.section("articles")  # where they stand, by their Markdown

    def key(self, url: str, source: bytes, twin: bytes, *, own: bool) -> str:
        """What the page is kept by. A page that is not ours may have to show its twin."""
        return digest(self.maker, url, source, b"" if own else twin)

    def content(self, key: str) -> str:
        """The digest of the page that is kept, or nothing."""
        known = self._index.get(key)
        return known[0] if known else ""

    def article_key(self, source: bytes) -> str:
        """What an article is kept by: the Markdown of a staged file, whatever stands around it."""
        return digest(self.maker, Staged.read(source).text)

    def article(self, key: str) -> Article | None:
        """Return the article of a page that was made from the same Markdown, if one is kept."""
        known = self._articles.get(key) if self._folder else None
        page = self._read(known[0]) if known else None
        if known is None or page is None:
            return None
        _, pieces, toc = known
        return ArticlePlace(pieces, toc).read(page)

    def keep_article(self, key: str, content: str, place: ArticlePlace | None) -> None:
        """Remember where an article stands in the page with the digest ``content``."""
        if place and self._folder:
            self._articles.put(key, [content, place.pieces, place.toc])
