"""Finished pages of earlier builds, kept under a hash of everything that they were made from.

A page is a function of its staged file, its address, the configuration, the templates and the
tools. If the cache knows the hash of these, the page is put into the new site as it is. The cache
keeps the site's own file under a second name (a hard link), which takes no space while the site
exists. If somebody changed the file, in the site or in the cache, its digest is no longer the
stored one, and the page is made again.

If only the Markdown of a page is the same as that of an earlier page, the page gets the HTML of the
earlier one's article, and only the template is filled in again.
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

_FOLDER = "pages"
_LARGEST = 1024 * 1024 * 1024  # bytes of all kept files


class KeptFiles:
    """The files kept in the cache of ``store``, each named by the digest of its bytes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._index = store.section("pages")  # digest and size, by what a page was made from
        self._folder = store.folder / _FOLDER if store.folder else None
        if self._folder and self._folder.is_symlink():
            self._folder = None  # a pull request can bring it, and files in it would be removed

    def put(self, target: Path, content: str) -> bool:
        """Put the file with digest ``content`` at ``target``; False if it is not kept intact."""
        if self._folder is None or self._read(content) is None:
            return False
        try:
            link_or_copy(self._folder / content, target)
        except OSError:
            return False
        return True

    def _read(self, content: str) -> bytes | None:
        """Return the bytes of the file with the digest ``content``, or None if not kept intact."""
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
                # The kept file may have been changed; ``file`` is right.
                if not kept.samefile(file):
                    kept.unlink()
                    link_or_copy(file, kept)
            self._index.put(key, [content, file.stat().st_size])

    def keep_all(
        self, folder: Path, kept: Mapping[str, str], known: Mapping[str, str]
    ) -> dict[str, str]:
        """Keep every file below ``folder`` and return their digests by path.

        The files in ``kept``, digests by path, are kept already. ``known`` has the digests of
        others, which then need not be read. Without a cache folder nothing is kept or returned.
        """
        found: dict[str, str] = {}
        if self._folder is None:
            return found
        start = len(str(folder)) + 1
        for base, _, names in os.walk(folder):
            for name in sorted(names):
                file = Path(base, name)
                path = f"{base}/{name}"[start:]
                content = kept.get(path)
                if not content:
                    content = known.get(path) or content_digest(file.read_bytes())
                    self.keep(content, file, content)
                found[path] = content
        return found

    def put_all(self, folder: Path, files: Mapping[str, str]) -> bool:
        """Put ``files``, digests by path, below ``folder``; False if one is not kept intact."""
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
        """Save what is new, and drop the files that were used longest ago beyond ``_LARGEST``."""
        if self._folder is None or not self._folder.is_dir():
            return
        room, known = _LARGEST, set()
        for key, (content, size) in list(self._index.entries()):
            room -= size
            if room < 0:
                self._index.drop(key)
            else:
                known.add(content)
        self._store.save()
        if not self._store.is_usable:
            return  # without the index nothing says which files are in use
        with suppress(OSError):
            for name in set(os.listdir(self._folder)) - known:  # noqa: PTH208
                (self._folder / name).unlink(missing_ok=True)


class PageCache(KeptFiles):
    """Finished pages by what they were made from. Without a ``toolchain`` digest none is kept."""

    def __init__(self, store: Store, toolchain: str) -> None:
        super().__init__(store if toolchain else Store(None))
        self.toolchain = toolchain
        self._articles = self._store.section("articles")  # page and place in it, by Markdown

    def key(self, url: str, source: bytes, markdown: bytes, *, own: bool) -> str:
        """Return the key of a page. Only a foreign page may have to show its Markdown copy."""
        return digest(self.toolchain, url, source, b"" if own else markdown)

    def content(self, key: str) -> str:
        """Return the digest of the page kept under ``key``, or an empty string."""
        known = self._index.get(key)
        return known[0] if known else ""

    def article_key(self, source: bytes) -> str:
        """Return the key of an article, which does not depend on the page's front matter."""
        return digest(self.toolchain, Staged.read(source).text)

    def article(self, key: str) -> Article | None:
        """Return the article kept under ``key``, if its page is kept intact."""
        known = self._articles.get(key) if self._folder else None
        page = self._read(known[0]) if known else None
        if known is None or page is None:
            return None
        _, pieces, toc = known
        return ArticlePlace(pieces, toc).read(page)

    def keep_article(self, key: str, content: str, place: ArticlePlace | None) -> None:
        """Store where the article is in the page with the digest ``content``, if that is known."""
        if place and self._folder:
            self._articles.put(key, [content, place.pieces, place.toc])
