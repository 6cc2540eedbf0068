"""The Store: the shards of an index. Each is read when it is first needed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any

from perfnotes.search.codec import numbers, unpack, unscript
from perfnotes.search.constants import BLOCKS, FORMAT
from perfnotes.search.facets import Facets
from perfnotes.search.lookup import TermLookup, TermShard
from perfnotes.search.naming import file_name, page_file_name

Card = tuple[str, str, str, str, str]  # id, address, title, language, type
_END = "\uffff"


class ShardStore:
    """The shards of one index.

    ``read`` gives the bytes of a file below ``search/``, or None if there is no such file.
    ``loaded`` has the names of the shards that were asked for, and ``missing`` the names of those
    that could not be read. The caller empties these lists. ``notes`` maps each symptom to its note,
    and ``subjects`` are the documents of subjects without a note; both are numbers of pages.

    Raises ``ValueError`` if there is no index, or one of another format.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._shards: dict[str, Any] = {}
        self._term_shards: dict[str, TermShard | None] = {}
        self.loaded: list[str] = []
        self.missing: list[str] = []
        self._listed: dict[str, str] = {}
        # The number of the first page of each group of pages.
        self._first_pages: list[int] = []
        root = self.shard("root")
        if root is None or root.get("format") != FORMAT:
            raise ValueError("no search index")
        self._listed = root["files"]
        self._first_pages = list(accumulate(numbers(root["groups"]), initial=0))
        if "m" in root:
            self._shards["m"] = root["m"]
        self.terms = TermLookup(root, self._term_shard)
        self._words = unpack(root["w"])
        self._tails = unpack(root["x"])
        self.twins: set[int] = set()
        page = 0
        for gap in numbers(root["twins"]):
            page += gap
            self.twins.add(page)
        self.notes = _notes_of_symptoms(list(numbers(root["symptoms"])), self.twins)
        # Subjects without a note are stored like symptoms of the page that asks for help.
        wanted = self.notes.get(root.get("subjects"), -1)
        self.subjects = frozenset(part for part, page in self.notes.items() if page == wanted)

    def with_parts(self, page: int) -> set[int]:
        """Return a page with its twin and with the symptoms of both, as numbers of pages."""
        original = page - 1 if page in self.twins else page
        parts = {part for part, note in self.notes.items() if note == original}
        return {original, page} | parts | ({original + 1} & self.twins)

    def shard(self, name: str) -> Any:
        """Return a shard's data, or None if the file is missing or broken."""
        if name not in self._shards:
            data = self._read(self.file(name))
            try:
                self._shards[name] = None if data is None else unscript(data)
            except ValueError:
                self._shards[name] = None
        if self._shards[name] is None:
            self.missing.append(name)
        if name not in self.loaded:
            self.loaded.append(name)
        return self._shards[name]

    def file(self, name: str) -> str:
        """Return the file of a shard, relative to ``search/``."""
        if name.startswith("d/"):
            return page_file_name(name, self._first_pages, self._listed["d"])
        return "root.js" if name == "root" else file_name(name, self._listed)

    def _term_shard(self, name: str) -> TermShard | None:
        data = self.shard(name)
        if name not in self._term_shards:
            self._term_shards[name] = None if data is None else TermShard(data)
        return self._term_shards[name]

    @cached_property
    def facets(self) -> Facets:
        """The facets of all pages."""
        return Facets(self.shard("m"), self.terms.pages)

    def spelled(self, typed: str) -> Iterator[list[tuple[str, int]]]:
        """Yield lists of ``(word, how common it is)`` in which a correction of ``typed`` may be.

        The first list is the shard in which ``typed`` would be. If the words with its first letter
        lie in two shards, the other one follows.
        """
        if not self._words:
            return
        near = _shard_at(self._words, typed)
        low = _shard_at(self._words, typed[0])
        high = _shard_at(self._words, typed[0] + _END)
        others = [i for i in (low, high) if i != near] if high - low == 1 else []
        for i in (near, *others):
            data = self.shard(f"w/{i}")
            if data:
                yield [(w, int(n)) for w, n in zip(unpack(data[0]), data[1].split(), strict=True)]

    def respelled(self, typed: str) -> list[tuple[str, int]]:
        """Return words that ``typed`` may mean if its beginning is wrong, and how common they are.

        These are the words of the index that result if the first two letters of ``typed`` are
        swapped, or if its first letter is left out, replaced or preceded by another one.
        """
        found: list[tuple[str, int]] = []
        if typed[1] != typed[0]:
            swapped = typed[1] + typed[0] + typed[2:]
            rows = dict(next(self.spelled(swapped), []))
            found += [(w, rows[w]) for w in (swapped, typed[1:]) if w in rows]
        for tail in (typed, typed[1:]):
            found += [(first + tail, 1) for first in self._first_letters(tail)]
        return found

    def _first_letters(self, tail: str) -> list[str]:
        """Return every letter that makes a word of the index if it is put before ``tail``."""
        data = self.shard(f"v/{_shard_at(self._tails, tail)}") if self._tails else None
        if not data:
            return []
        rows = zip(unpack(data[0]), data[1].split(), strict=True)
        return [first for word, first in rows if word == tail]

    def anchors(self, page: int, block: int) -> list[str]:
        """Return the anchors of the blocks that are in one file with a block."""
        file = block // BLOCKS
        data = self.shard(f"d/{page}-{file}" if file else f"d/{page}")
        return [one[0] for one in data[5]] if data else []

    def card(self, page: int, block: int) -> tuple[Card, list[Any]] | None:
        """Return a page's card and one of its blocks: anchor, heading, text.

        Returns None if the file is missing.
        """
        file = block // BLOCKS
        data = self.shard(f"d/{page}-{file}" if file else f"d/{page}")
        if data is None:
            return None
        blocks = data[5]
        at = block % BLOCKS
        return tuple(data[:5]), blocks[at] if at < len(blocks) else ["", "", ""]

    def text(self, page: int) -> str:
        """Return a page's title and whole text; the text ends where a file is missing."""
        data = self.shard(f"d/{page}")
        words = [f"{heading}\n{text}" for _, heading, text in self.blocks(page)]
        return "\n".join([data[2], *words] if data else words)

    def blocks(self, page: int) -> list[list[str]]:
        """Return all blocks of a page; they end where a file is missing."""
        found: list[list[str]] = []
        i, many = 0, 1
        while i < many and (data := self.shard(f"d/{page}-{i}" if i else f"d/{page}")):
            found += data[5]
            many = data[6]
            i += 1
        return found


def _notes_of_symptoms(runs: list[int], twins: set[int]) -> dict[int, int]:
    """Return the note of each symptom, both as numbers of pages.

    ``runs`` has in turn the number of pages that are no symptoms, and the number of symptoms that
    follow them. These symptoms belong to the last page before them.
    """
    found: dict[int, int] = {}
    page = 0
    for other, many in zip(runs[::2], runs[1::2], strict=False):
        page += other
        note = page - 2 if page - 1 in twins else page - 1
        found |= dict.fromkeys(range(page, page + many), note)
        page += many
    return found


def _shard_at(bounds: list[str], word: str) -> int:
    """Return the number of the shard that would hold ``word``; ``bounds`` are the first words."""
    return max(0, bisect_right(bounds, word) - 1)
