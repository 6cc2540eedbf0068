"""The rows of all terms, cut into shards: ``t/7`` is a run of the sorted terms.

A row holds the postings of a term. A prefix that begins very many words has a row too (see
``prefixes``). If only a few rows change, only the shards that hold them are made again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from perfnotes.search.codec import encode, encode_one, impact_of, number, pack, shared
from perfnotes.search.index import Index
from perfnotes.search.prefixes import merged, wide

MOST_POSTINGS = 2000  # of a term; of more postings only the strongest are written
SHARD = 5_500  # characters of a shard, about 3 KB after gzip


@dataclass(frozen=True)
class TermRun:
    """The first key, last key and number of keys of a shard.

    ``bound`` is the beginning of the first key, long enough to tell it from the key before.
    """

    first: str
    last: str
    many: int
    bound: str


@dataclass
class TermRows:
    """The rows of all keys and the shards that they form.

    A key is a term, or a prefix with a star, such as ``me*``. ``texts`` maps each key to its
    encoded row, ``sizes`` to about how many characters it takes in a shard with its names,
    ``prefixes`` are the keys with a star, and ``runs`` are the shards in order.
    """

    texts: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    prefixes: frozenset[str] = frozenset()
    runs: list[TermRun] = field(default_factory=list)

    def shards(
        self, index: Index, changed: Collection[str] | None = None
    ) -> Iterator[tuple[int, list[Any]]]:
        """Yield the number and data of each shard that has to be written.

        Without ``changed`` these are all shards. ``changed`` are the terms whose postings changed
        since the last call: then a shard whose keys and rows are the same as before is left out.
        """
        rows = Rows(index)
        stale = self._renew(rows, changed)
        keys = list(self.texts)
        self._measure(rows, stale)
        sizes = [self.sizes[key] for key in keys]
        texts = list(self.texts.values())
        before, self.runs = self.runs, []
        at = 0
        while at < len(keys):
            end = cut(keys, sizes, at, SHARD)
            bound = keys[at][: shared(keys[at - 1], keys[at]) + 1] if at else keys[at]
            run = TermRun(keys[at], keys[end - 1], end - at, bound)
            i = len(self.runs)
            self.runs.append(run)
            same = stale is not None and i < len(before) and _range(before[i]) == _range(run)
            if not same or any(run.first <= key <= run.last for key in stale or ()):
                yield i, rows.shard(keys[at:end], texts[at:end])
            at = end

    def _measure(self, rows: Rows, stale: Collection[str] | None) -> None:
        """Work out the sizes of all rows, or of those whose keys are ``stale``."""
        if stale is None:
            self.sizes = {}
        for key in self.texts if stale is None else stale:
            text = self.texts.get(key)
            if text is None:
                self.sizes.pop(key, None)
            else:
                self.sizes[key] = len(text) + len(key) // 2 + 2 + rows.names_size(key)

    def _renew(self, rows: Rows, changed: Collection[str] | None) -> set[str] | None:
        """Make the rows of all terms, or of ``changed`` terms and the prefixes that they touch.

        Returns the keys whose rows differ, or None if all rows were made.
        """
        index = rows.index
        if changed is None:
            terms = sorted({*index.postings, *index.names, *index.general})
        else:
            # The old keys are sorted already; sorting a nearly sorted list is fast.
            kept = dict.fromkeys(key for key in self.texts if key not in self.prefixes)
            kept.update(dict.fromkeys(changed))
            every = (index.postings, index.names, index.general)
            terms = sorted(k for k in kept if any(k in one for one in every))
        df = {term: rows.df(term) for term in terms}
        texts = {} if changed is None else self.texts
        fresh = {*changed} if changed is not None else set()
        touched = None if changed is None else sorted(changed)
        made: dict[str, str] = {}
        best: dict[str, list[int]] = {}
        for prefix, at, end in wide(terms, df, SHARD):
            key = f"{prefix}*"
            if key not in texts or touched is None or _has(touched, prefix):
                row = merged(terms[at:end], prefix, df, rows.strongest, best)
                made[key] = encode(row)
            else:
                made[key] = texts[key]
        self.prefixes = frozenset(made)
        for term in terms:
            known = None if touched is None or term in fresh else texts.get(term)
            made[term] = rows.text(term) if known is None else known
        self.texts = {key: made[key] for key in sorted(made)}
        if changed is None:
            return None
        different = {key for key, text in made.items() if texts.get(key) != text}
        return different | (texts.keys() - made.keys()) | fresh


def _range(run: TermRun) -> tuple[str, str, int]:
    return run.first, run.last, run.many


def _has(words: Sequence[str], prefix: str) -> bool:
    """Return whether one of the sorted words has the prefix."""
    at = bisect_left(words, prefix)
    return at < len(words) and words[at].startswith(prefix)


class Rows:
    """The rows of an index's terms, encoded for a shard."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def postings(self, term: str) -> Sequence[int]:
        found = self.index.postings.get(term, ())
        return (found,) if isinstance(found, int) else found

    def df(self, term: str) -> int:
        found = self.index.postings.get(term, ())
        return 1 if isinstance(found, int) else len(found)

    def strongest(self, term: str, most: int = MOST_POSTINGS) -> list[int]:
        """Return a term's packed postings with the highest impacts, the highest first."""
        return sorted(self.postings(term), key=impact_of, reverse=True)[:most]

    def text(self, term: str) -> str:
        found = self.index.postings.get(term, ())
        if isinstance(found, int):
            return encode_one(found)
        return encode(found if len(found) <= MOST_POSTINGS else sorted(self.strongest(term)))

    def names(self, term: str) -> list[Any]:
        """Return ``[key, encoded pages with ranks, other spellings]`` of each name of the term.

        A page and its rank are encoded as ``2 * page + rank``. The spellings are left out if there
        are none.
        """
        return [
            [
                key,
                "".join(number(page * 2 + rank) for page, rank in sorted(exact.pages.items())),
                *([list(exact.spellings)] if exact.spellings else []),
            ]
            for key, exact in sorted(self.index.named(term).items())
        ]

    def names_size(self, term: str) -> int:
        """Return about how many characters the names of a term take in a shard."""
        names = self.index.named(term)
        return sum(len(k) + 10 + sum(len(s) + 3 for s in e.spellings) for k, e in names.items())

    def shard(self, keys: Sequence[str], texts: Sequence[str]) -> list[Any]:
        """Return the data of a shard: packed keys, their rows, counts of long rows, names."""
        long = {str(i): self.df(k) for i, k in enumerate(keys) if self.df(k) > MOST_POSTINGS}
        names = {key: found for key in keys if (found := self.names(key))}
        return [pack(keys), " ".join(texts), long, names]


def cut(keys: list[str], sizes: list[int], at: int, target: int) -> int:
    """Return where a shard that begins at index ``at`` ends.

    Between 75 % and 120 % of the ``target`` size, it ends between the two neighbouring keys that
    share the shortest beginning.
    """
    total, end = 0, at
    best, least = 0, 99
    while end < len(keys):
        total += sizes[end]
        end += 1
        if end == len(keys):
            return end
        if total >= target * 0.75:
            same = shared(keys[end - 1], keys[end])
            if same < least:
                best, least = end, same
        if total >= target * 1.2:
            return best or end
    return end
