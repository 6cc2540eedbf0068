"""A Memo: what readers made of files, remembered by the files' contents.

Reading is pure, so what came of the same bytes may be taken instead of being made again. ``Memo``
itself remembers nothing, which is how things are read without a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from perfnotes.source.inputs import file_content
from perfnotes.storage.cache import Objects, digest, tool
from perfnotes.text.source import Data

T = TypeVar("T")
D = TypeVar("D", bound=Data)


class Memo:
    """Makes everything anew."""

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        """What ``make`` makes of ``files``; ``known`` is whatever else it depends on."""
        del files, known
        return make()

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        """What ``make`` makes of the bytes and findings that ``load`` reads from one ``file``."""
        del file, known
        return make(load())


class Remembering(Memo):
    """Takes what an earlier run made, from objects that only this user's own runs have written."""

    def __init__(self, objects: Objects, *, stores: bool = True) -> None:
        """With ``stores`` false it only reads: a run that uses a few values would drop the rest."""
        self._objects = objects
        self._stores = stores

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        key = _key(files, known)
        found: T | None = self._objects.get(key)
        if found is None:
            found = make()
            if self._stores and _key(files, known) == key:  # else a file changed while it was read
                self._objects.put(key, found)
        return found

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        del file
        data = load()
        key = digest(tool(), *known, data[0] or b"", *map(str, data[1]))
        found: T | None = self._objects.get(key)
        if found is None:
            found = make(data)
            if self._stores:
                self._objects.put(key, found)
        return found


def _key(files: Sequence[Path], known: Sequence[str]) -> str:
    return digest(tool(), *known, *(file_content(file) for file in files))
