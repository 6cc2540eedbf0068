"""Finished pages of earlier builds, kept by a hash of all that they were made from.

A page is a function of its staged file, its address, the configuration, the templates and the
tools, so one whose hash is known is put into the new site as it is. What is kept is the site's own
file under a second name (a hard link), which costs no room while the site stands. A file that was
changed since, in the site or here, no longer has the hash that was written down for it, and is made
again.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from perfnotes.cache import Store, content_digest, digest, tool
from perfnotes.engine.settings import own_themes
from perfnotes.inputs import file_content, folder_digest

FOLDER = "pages"
LARGEST = 1024 * 1024 * 1024  # bytes of all kept pages
_ELSEWHERE = (b"!ENV", b"INHERIT")  # settings that come from somewhere else than the file


def maker(config: Any) -> str:
    """A hash of what turns a staged file into a page; nothing where that cannot be told."""
    file = Path(config["config_file_path"])
    text = file_content(file)
    if any(sign in text for sign in _ELSEWHERE):
        return ""
    # What a command puts in the place of the file's own settings.
    given = [str(config[name]) for name in ("site_name", "site_url", "repo_url", "edit_uri")]
    themes = (folder_digest(Path(folder), folder) for folder in own_themes(config))
    return digest(tool(), text, *given, *themes)


class Kept:
    """The pages kept in the cache of ``store``; without a folder or a ``maker``, none."""

    def __init__(self, store: Store, maker: str) -> None:
        self.maker = maker
        self._store, self._index = store, store.section("pages")
        self._folder = store.folder / FOLDER if store.folder and maker else None

    def key(self, url: str, source: bytes, twin: bytes, *, own: bool) -> str:
        """What the page is kept by. A page that is not ours may have to show its twin."""
        return digest(self.maker, url, source, b"" if own else twin)

    def restore(self, key: str, target: Path) -> bool:
        """Put the page at ``target``, if there is one as it was written."""
        known = self._index.get(key) if self._folder else None
        if known is None or self._folder is None:
            return False
        file = self._folder / key
        try:
            if content_digest(file.read_bytes()) != known[0]:
                return False
            _second_name(file, target)
        except OSError:
            return False
        return True

    def keep(self, key: str, page: Path, content: str) -> None:
        """Keep a finished page; ``content`` is the digest of its bytes."""
        if self._folder is None:
            return
        file = self._folder / key
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            _second_name(page, file)
            self._index.put(key, [content, page.stat().st_size])

    def save(self) -> None:
        """Forget what was not used for longest, beyond the room that there is."""
        if self._folder is None or not self._folder.is_dir():
            return
        room = LARGEST
        for key, (_, size) in list(self._index.entries()):
            room -= size
            if room < 0:
                self._index.drop(key)
        self._store.save()
        known = {key for key, _ in self._index.entries()}
        with suppress(OSError):
            for name in set(os.listdir(self._folder)) - known:  # noqa: PTH208
                (self._folder / name).unlink(missing_ok=True)


def _second_name(file: Path, target: Path) -> None:
    """``target`` is the same file, or a copy where a file system has no second names."""
    try:
        os.link(file, target)
    except FileExistsError:
        raise
    except OSError:
        shutil.copyfile(file, target)
