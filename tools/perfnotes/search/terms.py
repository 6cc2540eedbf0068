"""The rows of all terms, cut into shards: ``t/7`` is a run of the sorted terms.

A row holds the postings of a term. A prefix that begins very many words has a row too (see
``prefixes``). If only a few rows change, only the shards that hold them are made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from perfnotes.search.codec import encode, encode_one
from perfnotes.search.index import ChangedTerms, Index
from perfnotes.search.prefixes import (
    is_letter,
    is_wide,
    longer_prefixes,
    merged,
    prefixes_of,
    row_size,
    wide_prefixes,
)
from perfnotes.search.row_encoder import RowEncoder
from perfnotes.search.term_runs import EditedRuns, TermRun, cut

SHARD = 5_500  # characters of a shard, about 3 KB after gzip


class TermRows:
    """The rows of all keys and the shards that they form.

    A key is a term, or a prefix with a star, such as ``me*``. ``prefixes`` are the keys with a
    star, and ``runs`` are the shards in order.
    """

    def __init__(self) -> None:
        self.prefixes: frozenset[str] = frozenset()
        self.runs: list[TermRun] = []

    def shards(
        self, index: Index, changed: ChangedTerms | None = None
    ) -> Iterator[tuple[int, list[Any]]]:
        """Yield the number and data of each shard that has to be written.

        Without ``changed`` these are all shards. ``changed`` is what changed in the index since the
        last call: then a shard whose keys and rows are the same as before is left out.
        """
        rows = RowEncoder(index)
        before, self.runs = self.runs, []
        if changed is None or not before:
            yield from self._all_shards(rows)
            return
        edited = EditedRuns(before)
        stale = self._renew_some(rows, edited, changed)
        differs = stale | changed.renumbered
        for i, (run, texts) in enumerate(edited.cut(_size(rows), SHARD, stale, differs)):
            self.runs.append(run)
            if texts or i >= len(before) or before[i].packed != run.packed:
                yield i, _data(rows, run, texts or run.texts())

    def _all_shards(self, rows: RowEncoder) -> Iterator[tuple[int, list[Any]]]:
        """Yield all shards."""
        made = self._all_rows(rows)
        keys = sorted(made)
        size_of = _size(rows)
        at = 0
        while at < len(keys):
            end = cut(keys, lambda key: size_of(key, made[key]), at, SHARD)
            texts = {key: made[key] for key in keys[at:end]}
            run = TermRun.after(keys[at - 1] if at else "", texts)
            yield len(self.runs), _data(rows, run, texts)
            self.runs.append(run)
            at = end

    def _all_rows(self, rows: RowEncoder) -> dict[str, str]:
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
        return made | {
            term: encode_one(found) if isinstance(found, int) else rows.text(term)
            for term, found in rows.index.postings.items()
        }

    def _renew_some(self, rows: RowEncoder, edited: EditedRuns, changed: ChangedTerms) -> set[str]:
        """Make the rows of ``changed`` terms and of their prefixes again.

        Returns the keys that were added or removed or whose rows changed, except rows in which only
        numbers of pages changed and that have the same size as before.
        """
        terms, renumbered = changed.terms | changed.named, changed.renumbered
        stale = {*terms}
        for texts in edited.each() if renumbered else ():
            stale.update(rows.renumber(texts, renumbered & texts.keys(), changed.shift))
        came_or_went = []
        for term in terms:
            text = rows.text(term) if rows.has(term) else None
            if (edited.replace(term, text) is None) != (text is None):
                came_or_went.append(term)
        touched = prefixes_of(terms)
        if renumbered:
            touched |= {key[:-1] for key in self.prefixes}
        for term in came_or_went:
            touched |= longer_prefixes(term, edited.keys)
        best: dict[str, list[int]] = {}
        prefixes = set(self.prefixes)
        for prefix in touched:
            key = f"{prefix}*"
            begun: list[str] = []
            shorter = (prefix[:n] for n in range(1, len(prefix)))
            if not is_letter(prefix) and not any(map(rows.has, shorter)):
                begun = [term for term in edited.keys(prefix) if term not in prefixes]
            df = {term: rows.df(term) for term in begun}
            row = None
            if begun and is_wide(prefix, map(row_size, df, df.values()), SHARD):
                row = encode(merged(begun, prefix, df, rows.strongest, best))
            if row is not None:
                prefixes.add(key)
            elif key in prefixes:
                prefixes.remove(key)
            else:
                continue
            if edited.replace(key, row) != row:
                stale.add(key)
        self.prefixes = frozenset(prefixes)
        return stale


def _size(rows: RowEncoder) -> Callable[[str, str], int]:
    """Return a function that tells about how many characters a key and its row take in a shard."""
    names, general = rows.index.names, rows.index.general

    def size_of(key: str, row: str) -> int:
        own = len(row) + len(key) // 2 + 2
        return own + rows.names_size(key) if key in names or key in general else own

    return size_of


def _data(rows: RowEncoder, run: TermRun, texts: Mapping[str, str]) -> list[Any]:
    return [run.packed, *rows.shard(list(texts), list(texts.values()))]
