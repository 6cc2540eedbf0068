"""A Memo: results of reading files, which are reused if the files have not changed.

The same bytes always give the same result, so a stored result can replace reading again. ``Memo``
stores nothing and is used when there is no store. ``Remembering`` stores results for later runs.
``InMemory`` returns the same objects again, until it is told that their files changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from perfnotes.source.inputs import file_content
from perfnotes.source.read.walk import Walk, walk
from perfnotes.storage.codec import PICKLE
from perfnotes.storage.digests import digest, program_digest
from perfnotes.storage.store import FOLDER, Store
from perfnotes.text.source import Data

T = TypeVar("T")
D = TypeVar("D", bound=Data)
_Key = tuple[tuple[str, ...], tuple[str, ...]]  # a result's files, and all else it depends on


class Memo:
    """Reads everything again."""

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        """Return ``make()``, which reads ``files`` and depends on nothing else but ``known``."""
        del files, known
        return make()

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        """Return ``make(load())``, where ``load`` reads the bytes of one ``file``.

        Besides the bytes, ``make`` depends on nothing but ``known``.
        """
        del file, known
        return make(load())

    def walk(self, root: Path, shown: str) -> Walk:
        """Return ``walk(root, shown)``."""
        return walk(root, shown)


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
        key = digest(program_digest(), *known, data[0] or b"", *map(str, data[1]))
        result: T | None = self._section.get(key)
        if result is None:
            result = make(data)
            self._section.put(key, result)
        return result


class InMemory(Memo):
    """Returns the same object again until ``forget`` is told that one of its files changed.

    What is not in memory comes from the memo ``before``. That memo is not pickled with the objects,
    so after unpickling the files are read, until ``before`` is set again.
    """

    def __init__(self, before: Memo) -> None:
        self.before = before
        self._made: dict[_Key, Any] = {}
        self._by_file: dict[str, set[_Key]] = {}
        self._walks: dict[tuple[str, str], Walk] = {}

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"before": Memo(), "_walks": {}}

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        key = (tuple(map(str, files)), known)
        if key not in self._made:
            self._made[key] = self.before.of(make, files, *known)
            for name in key[0]:
                self._by_file.setdefault(name, set()).add(key)
        found: T = self._made[key]
        return found

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        key = ((str(file),), known)
        if key not in self._made:
            self._made[key] = self.before.of_data(load, make, file, *known)
            self._by_file.setdefault(str(file), set()).add(key)
        found: T = self._made[key]
        return found

    def walk(self, root: Path, shown: str) -> Walk:
        key = (str(root), shown)
        if key not in self._walks:
            self._walks[key] = walk(root, shown)
        return self._walks[key]

    def has_all(self, files: Iterable[Path]) -> bool:
        """Return whether something was made from each of these files."""
        return all(str(file) in self._by_file for file in files)

    def forget(self, files: Iterable[Path]) -> None:
        """Forget what was made from these files, which were changed, added or removed."""
        names = [str(file) for file in files]
        for name in names:
            for key in self._by_file.pop(name, ()):
                self._made.pop(key, None)
        self._walks = {
            (root, shown): found
            for (root, shown), found in self._walks.items()
            if all(found.still_holds(root, name) for name in names)
        }


@contextmanager
def remembered_files(root: Path) -> Iterator[Memo]:
    """Yield a memo of what earlier commands read in the project at ``root``.

    New results are stored when the ``with`` block ends.
    """
    store = Store(root / FOLDER)
    yield Remembering(store, "read")
    store.save()


def _key(files: Sequence[Path], known: Sequence[str]) -> str:
    return digest(program_digest(), *known, *(file_content(file) for file in files))
