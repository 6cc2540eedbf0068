"""What was read, in memory: only files that are said to have changed are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from perfnotes.source.read.memo import D, Memo

T = TypeVar("T")
Key = tuple[tuple[str, ...], tuple[str, ...]]


class Live(Memo):
    """Gives the same object as long as its files are not forgotten; ``before`` is asked first."""

    def __init__(self, before: Memo) -> None:
        self._before = before
        self._made: dict[Key, Any] = {}
        self._by_file: dict[str, set[Key]] = {}

    def of(self, make: Callable[[], T], files: Sequence[Path], *known: str) -> T:
        key = (tuple(map(str, files)), known)
        if key not in self._made:
            self._made[key] = self._before.of(make, files, *known)
            for name in key[0]:
                self._by_file.setdefault(name, set()).add(key)
        found: T = self._made[key]
        return found

    def of_data(self, load: Callable[[], D], make: Callable[[D], T], file: Path, *known: str) -> T:
        key = ((str(file),), known)
        if key not in self._made:
            self._made[key] = self._before.of_data(load, make, file, *known)
            self._by_file.setdefault(str(file), set()).add(key)
        found: T = self._made[key]
        return found

    def forget(self, files: Iterable[Path]) -> None:
        """Forget what was made from these files, which may hold something else now."""
        for name in map(str, files):
            for key in self._by_file.pop(name, ()):
                self._made.pop(key, None)
