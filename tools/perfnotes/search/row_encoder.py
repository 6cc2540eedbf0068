"""The rows of an index's terms and their names, encoded for a shard of terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from perfnotes.search.codec import LEVELS, encode, encode_one, impact_of, number, shifted
from perfnotes.search.index import Index, Shift

# A term's row has at most so many postings: the strongest ones.
MOST_POSTINGS = 2000


class RowEncoder:
    """Encodes the rows of an index's terms for shards."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def terms(self) -> set[str]:
        """Return every term that has a row."""
        return {*self.index.postings, *self.index.names, *self.index.general}

    def has(self, term: str) -> bool:
        """Return whether a term has a row."""
        index = self.index
        return term in index.postings or term in index.names or term in index.general

    def postings(self, term: str) -> Sequence[int]:
        """Return a term's packed postings, sorted by page."""
        found = self.index.postings.get(term, ())
        return (found,) if isinstance(found, int) else found

    def df(self, term: str) -> int:
        """Return the number of pages that have a term."""
        found = self.index.postings.get(term, ())
        return 1 if isinstance(found, int) else len(found)

    def strongest(self, term: str, most: int = MOST_POSTINGS) -> list[int]:
        """Return a term's packed postings with the highest impacts, the highest first."""
        # There are only LEVELS impacts, so this takes less than half the time of sorting by them.
        by_impact: list[list[int]] = [[] for _ in range(LEVELS)]
        for posting in self.postings(term):
            by_impact[impact_of(posting)].append(posting)
        return list(islice(chain.from_iterable(reversed(by_impact)), most))

    def text(self, term: str) -> str:
        """Return the encoded row of a term: its postings, at most ``MOST_POSTINGS``."""
        found = self.index.postings.get(term, ())
        if isinstance(found, int):
            return encode_one(found)
        return encode(found if len(found) <= MOST_POSTINGS else sorted(self.strongest(term)))

    def renumber(
        self, texts: dict[str, str], terms: Iterable[str], shift: Shift | None
    ) -> Iterator[str]:
        """Replace the rows of ``terms`` in ``texts``, in whose postings pages were renumbered.

        Yields the terms whose rows have another size than before.
        """
        postings = self.index.postings
        for term in terms:
            found, before = postings.get(term), texts.get(term)
            if found is None or before is None:
                continue
            if isinstance(found, int):
                text = encode_one(found)
            elif shift and len(found) <= MOST_POSTINGS:
                text = shifted(before, found, *shift)
            else:
                text = self.text(term)
            texts[term] = text
            if len(text) != len(before):
                yield term

    def names(self, term: str) -> list[Any]:
        """Return ``[key, encoded pages with ranks, other spellings]`` of each name of the term.

        A page and its rank are encoded as ``2 * page + rank``. The spellings are left out if there
        are none.
        """
        return [
            [
                key,
                "".join(number(page * 2 + rank) for page, rank in sorted(entry.pages.items())),
                *([list(entry.spellings)] if entry.spellings else []),
            ]
            for key, entry in sorted(self.index.names_under(term).items())
        ]

    def names_size(self, term: str) -> int:
        """Return about how many characters the names of a term take in a shard."""
        names = self.index.names_under(term).items()
        return sum(len(k) + 10 + sum(len(s) + 3 for s in e.spellings) for k, e in names)

    def shard(self, keys: Sequence[str], texts: Sequence[str]) -> list[Any]:
        """Return the data of a shard after its packed keys: rows, counts of long rows, names."""
        long = {
            str(i): self.df(key)
            for i, (key, text) in enumerate(zip(keys, texts, strict=True))
            if len(text) > MOST_POSTINGS and self.df(key) > MOST_POSTINGS
        }
        known, general = self.index.names, self.index.general
        named = (key for key in keys if key in known or key in general)
        return [" ".join(texts), long, {key: found for key in named if (found := self.names(key))}]
