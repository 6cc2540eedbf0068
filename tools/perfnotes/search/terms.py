"""The rows of all terms, cut into shards: ``t/7`` is a run of the sorted terms.

A row holds the postings of a term. A prefix that begins very many words has a row too (see
``prefixes``). If only a few rows change, only the shards that hold them are made again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from msgspec import Struct

from perfnotes.search.codec import encode, encode_one, pack, shared
from perfnotes.search.index import ChangedTerms, Index
from perfnotes.search.prefixes import (
    is_letter,
    is_wide,
    merged,
    prefixes_after,
    prefixes_of,
    range_of,
    row_size,
    wide_prefixes,
)
from perfnotes.search.row_encoder import RowEncoder

SHARD = 5_500  # characters of a shard, about 3 KB after gzip


class TermRun(Struct, frozen=True):
    """The first key, last key and number of keys of a shard.

    ``bound`` is the beginning of the first key, just long enough to differ from the key before it.
    ``packed`` are all keys in the form that the shard has.
    """

    first: str
    last: str
    many: int
    bound: str
    packed: str


class TermRows:
    """The rows of all keys and the shards that they form.

    A key is a term, or a prefix with a star, such as ``me*``. ``texts`` maps each key to its
    encoded row, ``prefixes`` are the keys with a star, and ``runs`` are the shards in order.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.prefixes: frozenset[str] = frozenset()
        self.runs: list[TermRun] = []

    def __getstate__(self) -> dict[str, object]:
        """Pickle the texts as two strings, joined by spaces; no key and no row has one."""
        return self.__dict__ | {"texts": (" ".join(self.texts), " ".join(self.texts.values()))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        keys, rows = state["texts"]
        texts = dict(zip(keys.split(" "), rows.split(" "), strict=True)) if keys else {}
        self.__dict__ |= state | {"texts": texts}

    def shards(
        self, index: Index, changed: ChangedTerms | None = None
    ) -> Iterator[tuple[int, list[Any]]]:
        """Yield the number and data of each shard that has to be written.

        Without ``changed`` these are all shards. ``changed`` is what changed in the index since the
        last call: then a shard whose keys and rows are the same as before is left out.
        """
        rows = RowEncoder(index)
        differs: set[str] = set()
        stale: set[str] | None = None
        if changed is None:
            self._renew(rows)
        else:
            stale = self._renew_some(rows, changed)
            differs = stale | changed.renumbered
        keys = list(self.texts)
        texts = list(self.texts.values())
        before, self.runs = self.runs, []
        unchanged = _unchanged_runs(before, stale)
        at = 0
        while at < len(keys):
            known = unchanged.get(keys[at])
            end = at + known.many if known else cut(keys, self._size(rows), at, SHARD)
            own = keys[at:end]
            packed = known.packed if known else pack(own)
            bound = own[0][: shared(keys[at - 1], own[0]) + 1] if at else own[0]
            run = TermRun(own[0], own[-1], end - at, bound, packed)
            i = len(self.runs)
            self.runs.append(run)
            same = stale is not None and i < len(before) and before[i].packed == packed
            if not same or not differs.isdisjoint(own):
                yield i, [packed, *rows.shard(own, texts[at:end])]
            at = end

    def _size(self, rows: RowEncoder) -> Callable[[str], int]:
        """Return a function that tells about how many characters a key takes in a shard."""
        texts, names, general = self.texts, rows.index.names, rows.index.general

        def size_of(key: str) -> int:
            own = len(texts[key]) + len(key) // 2 + 2
            return own + rows.names_size(key) if key in names or key in general else own

        return size_of

    def _renew(self, rows: RowEncoder) -> None:
        """Make the rows of all terms and prefixes."""
        terms = sorted(rows.terms())
        df = dict.fromkeys(terms, 0)
        df |= {
            term: 1 if isinstance(found, int) else len(found)
            for term, found in rows.index.postings.items()
        }
        best: dict[str, list[int]] = {}
        made = {
            f"{prefix}*": encode(merged(terms[at:end], prefix, df, rows.strongest, best))
            for prefix, at, end in wide_prefixes(terms, df, SHARD)
        }
        self.prefixes = frozenset(made)
        made |= dict.fromkeys(terms, "")
        made |= {
            term: encode_one(found) if isinstance(found, int) else rows.text(term)
            for term, found in rows.index.postings.items()
        }
        self.texts = {key: made[key] for key in sorted(made)}

    def _renew_some(self, rows: RowEncoder, changed: ChangedTerms) -> set[str]:
        """Make the rows of ``changed`` terms and of their prefixes again.

        Returns the keys that were added or removed or whose rows changed, except rows in which only
        numbers of pages changed and that have the same size as before.
        """
        before, texts = self.texts, self.texts.copy()
        edited, renumbered = changed.terms | changed.named, changed.renumbered
        stale = {*edited, *rows.renumber(texts, changed.renumbered, changed.shift)}
        for term in edited:
            if rows.has(term):
                texts[term] = rows.text(term)
            else:
                texts.pop(term, None)
        terms = list(texts) if texts.keys() == before.keys() else sorted(texts)
        best: dict[str, list[int]] = {}
        prefixes = set(self.prefixes)
        touched = prefixes_of(edited)
        if renumbered:
            touched |= {key[:-1] for key in self.prefixes}
        for term in edited:
            if (term in texts) != (term in before):
                touched |= prefixes_after(term, terms)
        for prefix in touched:
            key = f"{prefix}*"
            begun: list[str] = []
            shorter = (prefix[:n] for n in range(1, len(prefix)))
            if not is_letter(prefix) and not any(map(rows.has, shorter)):
                at, end = range_of(terms, prefix)
                begun = [term for term in terms[at:end] if term not in self.prefixes]
            df = {term: rows.df(term) for term in begun}
            if begun and is_wide(prefix, map(row_size, df, df.values()), SHARD):
                texts[key] = encode(merged(begun, prefix, df, rows.strongest, best))
                prefixes.add(key)
            else:
                texts.pop(key, None)
                prefixes.discard(key)
        self.prefixes = frozenset(prefixes)
        if texts.keys() != before.keys():
            texts = {key: texts[key] for key in sorted(texts)}
        self.texts = texts
        starred = (f"{prefix}*" for prefix in touched)
        return stale | {key for key in starred if before.get(key) != texts.get(key)}


def _unchanged_runs(runs: Sequence[TermRun], stale: Collection[str] | None) -> dict[str, TermRun]:
    """Return, by their first keys, the runs that have the same keys as before.

    Where a run ends depends on its own keys and on some of the next run, but on no later keys.
    """
    if stale is None:
        return {}
    changed = sorted(stale)
    return {
        run.first: run
        for run, _, after in zip(runs, runs[1:], runs[2:], strict=False)
        if bisect_left(changed, run.first) == bisect_left(changed, after.first)
    }


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
        if total >= target * 0.75:
            same = shared(keys[end - 1], keys[end])
            if same < least:
                best, least = end, same
        if total >= target * 1.2:
            return best or end
    return end
