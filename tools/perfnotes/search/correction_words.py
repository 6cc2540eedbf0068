"""The words that are offered for typos, as shards.

- ``w/3``: words sorted by their first letters;
- ``v/3``: the same words without their first letter, for typos in that letter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set

from msgspec import Struct, field

from perfnotes.search.codec import pack
from perfnotes.search.term_runs import cut

_KINDS = ("w", "v")
_SIZE = 12_000  # characters of a shard


class CorrectionWords(Struct):
    """The words with how common each is, 1 to 9, and the first word of each shard by kind."""

    words: dict[str, int] = field(default_factory=dict)
    bounds: dict[str, list[str]] = field(default_factory=dict)

    def shards(self, words: dict[str, int]) -> Iterator[tuple[str, list[str]]]:
        """Take these words, and yield the name and data of each shard."""
        self.words = words
        yield from self._cut(None)

    def update(self, words: dict[str, int]) -> Iterator[tuple[str, list[str]]]:
        """Take over how common each of ``words`` is now; 0 takes a word out.

        Yields the name and data of each shard that differs. A shard that is not in ``names``
        afterwards is gone.
        """
        changed = {word for word, many in words.items() if self.words.get(word, 0) != many}
        if not changed:
            return
        is_cut_anew = any(word not in self.words or not words[word] for word in changed)
        self.words = {word: many for word, many in (self.words | words).items() if many}
        yield from self._cut(changed) if is_cut_anew else self._recounted(changed)

    @property
    def names(self) -> set[str]:
        """The names of all shards."""
        return {f"{kind}/{i}" for kind, bounds in self.bounds.items() for i in range(len(bounds))}

    def _cut(self, changed: Set[str] | None) -> Iterator[tuple[str, list[str]]]:
        """Yield the shards, or with ``changed`` those that differ from the present ones."""
        for kind in _KINDS:
            before, parts = self.bounds.get(kind, []), list(_parts(self._rows(kind, self.words)))
            bounds = self.bounds[kind] = [part[0][0] for part in parts]
            keys = sorted(_key(kind, word) for word in changed or ())
            for i, part in enumerate(parts):
                if changed is None or not _is_same(i, before, bounds, keys):
                    yield f"{kind}/{i}", _shard(part)

    def _recounted(self, changed: Set[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the shards of words that are only more or less common now.

        The shards then begin with the same words as before.
        """
        for kind, bounds in self.bounds.items():
            for i in sorted({bisect_right(bounds, _key(kind, word)) - 1 for word in changed}):
                first, after = bounds[i], bounds[i + 1 : i + 2]
                inside = [
                    word
                    for word in self.words
                    if first <= _key(kind, word) and not (after and after[0] <= _key(kind, word))
                ]
                yield f"{kind}/{i}", _shard(self._rows(kind, inside))

    def _rows(self, kind: str, words: Iterable[str]) -> list[tuple[str, str]]:
        """Return a row for each word, in the order of the shards of this kind."""
        if kind == "w":
            return sorted((word, str(self.words[word])) for word in words)
        return sorted((word[1:], word[0]) for word in words)


def _key(kind: str, word: str) -> str:
    """Return by what a word is sorted: in ``v``, it has no first letter."""
    return word if kind == "w" else word[1:]


def _shard(rows: list[tuple[str, str]]) -> list[str]:
    return [pack([word for word, _ in rows]), " ".join(more for _, more in rows)]


def _parts(rows: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Cut sorted words into shards, between words that share a short beginning (see ``cut``)."""
    words = [word for word, _ in rows]
    at = 0
    while at < len(rows):
        end = cut(words, lambda word: len(word) // 2 + 4, at, _SIZE)
        yield rows[at:end]
        at = end


def _is_same(i: int, before: Sequence[str], now: Sequence[str], changed: Sequence[str]) -> bool:
    """Whether shard ``i`` has the same words as before.

    ``before`` and ``now`` are the first words of all shards, ``changed`` the sorted words that
    changed. First words tell shards apart: two shards never hold the same word, although ``v`` has
    a word several times, because ``cut`` ends a shard between words that share little.
    """
    if before[i : i + 2] != now[i : i + 2]:
        return False
    end = bisect_left(changed, now[i + 1]) if i + 1 < len(now) else len(changed)
    return bisect_left(changed, now[i]) == end
