"""The rows of all terms, cut into shards: ``t/7`` is a run of the sorted terms.

A row is a term's postings; a prefix with very many words behind it has one of its own. Where a few
rows are different, only the shards that hold them are made again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from perfnotes.search.codec import encode, encode_one, impact_of, number, pack, shared
from perfnotes.search.index import Index
from perfnotes.search.prefixes import merged, wide

MOST_POSTINGS = 2000  # of a term; the strongest are kept
SHARD = 11_000  # characters, about 6 KB of gzip


@dataclass(frozen=True)
class Run:
    """The keys of a shard, and as much of the first as tells it from the one before."""

    first: str
    last: str
    many: int
    bound: str


@dataclass
class Terms:
    """``texts`` holds the row of every key: terms, and the ``prefixes`` as ``me*``."""

    texts: dict[str, str] = field(default_factory=dict)
    prefixes: frozenset[str] = frozenset()
    runs: list[Run] = field(default_factory=list)

    def shards(
        self, index: Index, changed: Collection[str] | None = None
    ) -> Iterator[tuple[int, list[Any]]]:
        """Each shard by its number; of those that there were, only where a term has ``changed``."""
        rows = Rows(index)
        stale = self._renew(rows, changed)
        keys = list(self.texts)
        sizes = [len(self.texts[k]) + len(k) // 2 + 2 + rows.names_size(k) for k in keys]
        texts = list(self.texts.values())
        before, self.runs = self.runs, []
        at = 0
        while at < len(keys):
            end = cut(keys, sizes, at, SHARD)
            bound = keys[at][: shared(keys[at - 1], keys[at]) + 1] if at else keys[at]
            run = Run(keys[at], keys[end - 1], end - at, bound)
            i = len(self.runs)
            self.runs.append(run)
            same = stale is not None and i < len(before) and _range(before[i]) == _range(run)
            if not same or any(run.first <= key <= run.last for key in stale or ()):
                yield i, rows.shard(keys[at:end], texts[at:end])
            at = end

    def _renew(self, rows: Rows, changed: Collection[str] | None) -> set[str] | None:
        """Make all rows, or those of the terms that changed; the keys whose rows are others now."""
        index = rows.index
        if changed is None:
            terms = sorted({*index.postings, *index.names})
        else:
            # Nearly in order already, which sorts quickly.
            kept = dict.fromkeys(key for key in self.texts if key not in self.prefixes)
            kept.update(dict.fromkeys(changed))
            terms = sorted(k for k in kept if k in index.postings or k in index.names)
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


def _range(run: Run) -> tuple[str, str, int]:
    return run.first, run.last, run.many


def _has(words: Sequence[str], prefix: str) -> bool:
    """Whether one of the sorted words begins so."""
    at = bisect_left(words, prefix)
    return at < len(words) and words[at].startswith(prefix)


class Rows:
    """Each term's line of a shard."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def postings(self, term: str) -> Sequence[int]:
        found = self.index.postings.get(term, ())
        return (found,) if isinstance(found, int) else found

    def df(self, term: str) -> int:
        found = self.index.postings.get(term, ())
        return 1 if isinstance(found, int) else len(found)

    def strongest(self, term: str, most: int = MOST_POSTINGS) -> list[int]:
        """A term's best postings, the best first."""
        return sorted(self.postings(term), key=impact_of, reverse=True)[:most]

    def text(self, term: str) -> str:
        found = self.index.postings.get(term, ())
        if isinstance(found, int):
            return encode_one(found)
        return encode(found if len(found) <= MOST_POSTINGS else sorted(self.strongest(term)))

    def names(self, term: str) -> list[Any]:
        """``[key, pages with their ranks, other spellings]`` of each name."""
        return [
            [
                key,
                "".join(number(page * 2 + rank) for page, rank in sorted(exact.pages.items())),
                *([list(exact.spellings)] if exact.spellings else []),
            ]
            for key, exact in sorted(self.index.names[term].items())
        ]

    def names_size(self, term: str) -> int:
        names = self.index.names.get(term)
        if not names:
            return 0
        return sum(len(k) + 10 + sum(len(s) + 3 for s in e.spellings) for k, e in names.items())

    def shard(self, keys: Sequence[str], texts: Sequence[str]) -> list[Any]:
        """The data of a shard that holds these keys."""
        known = self.index.names
        long = {str(i): self.df(k) for i, k in enumerate(keys) if self.df(k) > MOST_POSTINGS}
        names = {key: self.names(key) for key in keys if key in known}
        return [pack(keys), " ".join(texts), long, names]


def cut(keys: list[str], sizes: list[int], at: int, target: int) -> int:
    """Where a shard that begins at ``at`` ends best: where neighbours have least in common."""
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
