"""A Memo: results of reading files, which are reused if the files have not changed.

The same bytes always give the same result, so a stored result can replace reading again. ``Memo``
stores nothing and is used when there is no store. ``Remembering`` stores results for later runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from perfnotes.source.inputs import file_content
from perfnotes.storage.codec import PICKLE
from perfnotes.storage.digests import digest, tool
from perfnotes.storage.store import FOLDER, Store
from perfnotes.text.source import Data

T = TypeVar("T")
D = TypeVar("D", bound=Data)


class Memo:
    """Reads everything again."""

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        """Return ``make()``, which reads ``files``; ``known`` is all else that it depends on."""
        del files, known
        return make()

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        """Return ``make(load())``, where ``load`` reads the bytes of one ``file``.

        ``known`` is all else that ``make`` depends on.
        """
        del file, known
        return make(load())


class Remembering(Memo):
    """Reuses the results of earlier runs, which are stored in a section of ``store``."""

    def __init__(self, store: Store, section: str) -> None:
        self._section = store.section(section, PICKLE)

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        key = _key(files, known)
        result: T | None = self._section.get(key)
        if result is None:
            result = make()
            if _key(files, known) == key:  # otherwise a file changed meanwhile
                self._section.put(key, result)
        return result

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        del file
        data = load()
        key = digest(tool(), *known, data[0] or b"", *map(str, data[1]))
        result: T | None = self._section.get(key)
        if result is None:
            result = make(data)
            self._section.put(key, result)
        return result


@contextmanager
def remembered_files(root: Path) -> Iterator[Memo]:
    """Yield what earlier commands read of the files of the project at ``root``.

    What is read meanwhile is stored at the end.
    """
    store = Store(root / FOLDER)
    yield Remembering(store, "read")
    store.save()


def _key(files: Sequence[Path], known: Sequence[str]) -> str:
    return digest(tool(), *known, *(file_content(file) for file in files))
