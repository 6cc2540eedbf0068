"""Runs of sorted keys with their rows, each of which is a shard, before and after an edit."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.search.codec import pack, shared
from perfnotes.search.prefixes import after_all

_LEAST, _MOST = 0.75, 1.2  # how large a shard may be, as shares of the wanted size


class TermRun(Struct, frozen=True):
    """The keys of a shard and their rows.

    ``bound`` is the beginning of the first key, just long enough to differ from the key before it.
    ``packed`` are the keys in the form that the shard has. No key and no row has a space.
    """

    bound: str
    packed: str
    keys: str  # joined by spaces
    rows: str  # joined by spaces

    @classmethod
    def after(cls, last: str, texts: Mapping[str, str]) -> TermRun:
        """Return the run of sorted keys with these rows; ``last`` is the key before it, or ""."""
        keys = list(texts)
        bound = _bound(last, keys[0])
        return cls(bound, pack(keys), " ".join(keys), " ".join(texts.values()))

    @property
    def first(self) -> str:
        return self.keys.partition(" ")[0]

    @property
    def last(self) -> str:
        return self.keys.rpartition(" ")[2]

    def texts(self) -> dict[str, str]:
        """Return the row of each key."""
        return dict(zip(self.keys.split(" "), self.rows.split(" "), strict=True))


def _bound(last: str, first: str) -> str:
    return first[: shared(last, first) + 1] if last else first


class EditedRuns:
    """Runs in which rows are replaced. Only the runs that are looked into are unpacked."""

    def __init__(self, runs: Sequence[TermRun]) -> None:
        self._runs = runs
        self._firsts = [run.first for run in runs]
        self._unpacked: dict[int, dict[str, str]] = {}  # by the number of the run
        self._sorted: dict[int, list[str]] = {}  # the keys of unpacked runs, once all are replaced

    def _texts(self, i: int) -> dict[str, str]:
        if i not in self._unpacked:
            self._unpacked[i] = self._runs[i].texts()
        return self._unpacked[i]

    def _place(self, key: str) -> int:
        """Return the number of the run to which a key belongs."""
        return max(bisect_right(self._firsts, key) - 1, 0)

    def each(self) -> Iterator[dict[str, str]]:
        """Yield the rows of each run by their keys. They may be replaced, but not removed."""
        return map(self._texts, range(len(self._runs)))

    def keys(self, prefix: str) -> list[str]:
        """Return the sorted keys that begin with a prefix."""
        places = range(self._place(prefix), self._place(after_all(prefix)) + 1)
        return sorted(key for i in places for key in self._texts(i) if key.startswith(prefix))

    def replace(self, key: str, text: str | None) -> str | None:
        """Give a key another row, or remove it for None; return the row that it had, or None."""
        texts = self._texts(self._place(key))
        if text is None:
            return texts.pop(key, None)
        before = texts.get(key)
        texts[key] = text  # a key that the run had keeps its place
        return before

    def cut(
        self, size_of: Callable[[str, str], int], target: int, stale: Set[str], differs: Set[str]
    ) -> Iterator[tuple[TermRun, dict[str, str] | None]]:
        """Yield the runs, cut anew, each with its rows if it has a key in ``differs``.

        ``size_of(key, row)`` tells about how many characters a key and its row take in a shard,
        which is to have ``target`` characters. ``stale`` are the keys that came or went or whose
        rows have another size.
        """
        runs, unchanged = self._runs, self._unchanged(stale)
        i, at, last = 0, 0, ""  # the next key is number ``at`` of run ``i``
        while i < len(runs):
            keys = self._keys(i) if i in self._unpacked else [runs[i].first]
            if at == len(keys):
                i, at = i + 1, 0
                continue
            texts: Mapping[str, str]
            if i in unchanged and keys[at] == runs[i].first:
                texts = self._unpacked.get(i, {})
                if at:  # keys came before the first run
                    texts = {key: texts[key] for key in keys[at:]}
                run = replace(runs[i], bound=_bound(last, runs[i].first))
                if not differs.isdisjoint(texts):
                    run = replace(run, rows=" ".join(texts.values()))
                i, at = i + 1, 0
            else:
                texts = self._next(i, at, size_of, target)
                run = TermRun.after(last, texts)
                i, at = self._beyond(i, at, len(texts))
            yield run, None if differs.isdisjoint(texts) else dict(texts)
            last = run.last

    def _keys(self, i: int) -> list[str]:
        if i not in self._sorted:
            self._sorted[i] = sorted(self._texts(i))
        return self._sorted[i]

    def _unchanged(self, stale: Collection[str]) -> set[int]:
        """Return the numbers of the runs that end where they ended before.

        Where a run ends depends on its own keys and on some of the next run, but on no later keys.
        """
        changed = sorted(stale)
        places = [bisect_left(changed, first) for first in self._firsts]
        after_next = zip(places, places[2:], strict=False)
        return {i for i, (begin, end) in enumerate(after_next) if begin == end}

    def _next(
        self, i: int, at: int, size_of: Callable[[str, str], int], target: int
    ) -> dict[str, str]:
        """Return the keys and rows of a new run that begins with key number ``at`` of run ``i``."""
        texts: dict[str, str] = {}
        sizes: dict[str, int] = {}
        total = 0
        for j in range(i, len(self._runs)):
            keys = self._keys(j)[at if j == i else 0 :]
            texts |= {key: self._texts(j)[key] for key in keys}
            sizes |= {key: size_of(key, texts[key]) for key in keys}
            if keys and total >= _MOST * target:  # these come after all that may be in the run
                break
            total = sum(sizes.values())
        keys = list(texts)
        return {key: texts[key] for key in keys[: cut(keys, sizes.__getitem__, 0, target)]}

    def _beyond(self, i: int, at: int, many: int) -> tuple[int, int]:
        """Return the place of the key that comes ``many`` keys after number ``at`` of run ``i``."""
        at += many
        while i < len(self._runs) and at >= len(self._keys(i)):
            at -= len(self._keys(i))
            i += 1
        return i, at


def cut(keys: Sequence[str], size_of: Callable[[str], int], at: int, target: float) -> int:
    """Return where a shard that begins at index ``at`` ends.

    Between 75 % and 120 % of the ``target`` size, it ends between the two neighbouring keys that
    share the shortest beginning.
    """
    total, end = 0, at
    best, least = 0, 99
    while end < len(keys):
        total += size_of(keys[end])
        end += 1
        if end == len(keys):
            return end
        if total >= target * _LEAST:
            same = shared(keys[end - 1], keys[end])
            if same < least:
                best, least = end, same
        if total >= target * _MOST:
            return best or end
    return end
