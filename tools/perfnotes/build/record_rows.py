"""What a record has in rows of its own, each read from the store when it is first asked for.

A build after an edit asks for few of them: after a sentence in one of ten thousand notes it looks
into two texts. So the scanned document of each text has a row. The readings of each review and the
notes' blocks in each group of pages of the search index have one as well. Whoever reads a row knows
its stamp. Where another build has stored another row in its place meanwhile, RecordError is raised,
and everything is built.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.model.review import Review
from perfnotes.search.document import Block, SearchDocument
from perfnotes.search.shards import Shards
from perfnotes.storage.store import StoreSection
from perfnotes.text.body import Body
from perfnotes.text.loaded_later import load_later, loader_of

TEXT, REVIEW = "text", "review"  # kinds of rows
_BLOCKS = "blocks"


class RecordError(Exception):
    """There is no record of a build, or it was written by another version of the program."""


class StoredRow(Struct, frozen=True):
    """What is known of a row: its stamp, and the length of its text in characters."""

    stamp: bytes
    size: int


# Objects, each with the name of a field that it has or loads later.
Fields = Sequence[tuple[Any, str]]


def text_fields(body: Body) -> Fields:
    """Return what a record has of a text in a row of its own."""
    return (body, "document"), (body.source, "text")


def review_fields(review: Review) -> Fields:
    """Return what a record has of a review in a row of its own."""
    return (review, "readings"), (review.source, "text")


class StoredBlocks(Sequence[Block]):
    """The blocks of a document of the search: those at ``at`` in the row of a group of pages."""

    def __init__(self, row: _BlocksRow, at: int) -> None:
        self.row, self.at = row, at

    def __len__(self) -> int:
        return len(self._blocks)

    def __getitem__(self, index: Any) -> Any:
        return self._blocks[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredBlocks):
            return (self.row is other.row and self.at == other.at) or self._blocks == other._blocks
        return self._blocks == other

    __hash__ = None  # type: ignore[assignment]

    @property
    def _blocks(self) -> tuple[Block, ...]:
        return self.row.blocks[self.at]


class RecordRows:
    """The rows of the record of the site ``name``."""

    def __init__(self, section: StoreSection, name: str) -> None:
        self._section, self._name = section, name

    @contextmanager
    def fields_apart(
        self, kind: str, fields: Mapping[str, Fields]
    ) -> Iterator[dict[str, StoredRow]]:
        """Store fields of objects, a row for each key.

        Inside the context the objects lack these fields, so what is pickled there is without them.
        The last field of each row is a text. Yields what ``load_fields_later`` needs.
        """
        stamp = os.urandom(8)
        stored = {key: row for key, each in fields.items() if (row := _row_of(kind, key, each))}
        new = {
            key: tuple(getattr(instance, name) for instance, name in each)
            for key, each in fields.items()
            if key not in stored
        }
        for key, values in new.items():
            self._put(kind, key, (stamp, values))
            stored[key] = StoredRow(stamp, len(values[-1]))
        self._drop_others(kind, fields)
        states = [(each.__dict__, name) for row in fields.values() for each, name in row]
        apart = [(state, name, state.pop(name)) for state, name in states if name in state]
        try:
            yield stored
        finally:
            for state, name, value in apart:
                state[name] = value

    def load_fields_later(
        self, kind: str, fields: Mapping[str, Fields], stored: Mapping[str, StoredRow]
    ) -> None:
        """Let objects that come from a record load the fields that were left out."""
        for key, each in fields.items():
            row = _FieldsRow(self, kind, key, stored[key])
            for i, (instance, name) in enumerate(each):
                load_later(instance, name, _LoadField(row, i))

    def blocks_apart(self, shards: Shards) -> Shards:
        """Store the blocks of the notes, and return the shards without them.

        All other documents are small, and are compared as a whole with those of the next build.
        """
        left = iter(shards.documents)
        groups = [list(islice(left, group.pages)) for group in shards.pages.groups]
        new = {
            number: {at: tuple(document.blocks) for at, document in _of_notes(group)}
            for number, group in enumerate(groups)
            if not _is_stored(group, number)
        }
        self._drop_others(_BLOCKS, [str(i) for i, group in enumerate(groups) if _of_notes(group)])
        stamp = os.urandom(8)
        for number, blocks in new.items():
            self._put(_BLOCKS, str(number), (stamp, blocks))
            row = _BlocksRow(number, stamp)
            for at, document in _of_notes(groups[number]):
                groups[number][at] = replace(document, blocks=StoredBlocks(row, at))
        return replace(shards, documents=[document for group in groups for document in group])

    def load_blocks_later(self, shards: Shards) -> None:
        """Let the documents of ``shards`` that come from a record load their blocks."""
        for document in shards.documents:
            if isinstance(document.blocks, StoredBlocks):
                document.blocks.row.rows = self

    def get(self, kind: str, key: str, stamp: bytes) -> Any:
        """Return what a row holds. Raises RecordError if it is not the row with this stamp."""
        found = self._section.get(f"{kind} {self._name}\0{key}")
        if not found or found[0] != stamp:
            raise RecordError
        return found[1]

    def copy(self, to: str) -> None:
        """Store all rows for the site ``to`` as well."""
        for kind in (TEXT, REVIEW, _BLOCKS):
            for key in self._keys(kind):
                self._section.copy(f"{kind} {self._name}\0{key}", f"{kind} {to}\0{key}")

    def _put(self, kind: str, key: str, row: tuple[bytes, object]) -> None:
        self._section.put(f"{kind} {self._name}\0{key}", row)

    def _keys(self, kind: str) -> list[str]:
        prefix = f"{kind} {self._name}\0"
        return [key.removeprefix(prefix) for key in self._section.keys(prefix)]

    def _drop_others(self, kind: str, kept: Collection[str]) -> None:
        for key in {*self._keys(kind)}.difference(kept):
            self._section.drop(f"{kind} {self._name}\0{key}")


class _FieldsRow:
    """The row of fields of objects; it is read once."""

    def __init__(self, rows: RecordRows, kind: str, key: str, stored: StoredRow) -> None:
        self._rows, self.kind, self.key, self.stored = rows, kind, key, stored

    @cached_property
    def values(self) -> tuple[Any, ...]:
        values: tuple[Any, ...] = self._rows.get(self.kind, self.key, self.stored.stamp)
        return values


class _LoadField(Struct):
    """Loads the field ``i`` of a row."""

    row: _FieldsRow
    i: int

    def __call__(self) -> Any:
        return self.row.values[self.i]


class _BlocksRow:
    """The row of a group of pages; ``rows`` reads it."""

    rows: RecordRows

    def __init__(self, number: int, stamp: bytes) -> None:
        self.number, self.stamp = number, stamp
        self._blocks: dict[int, tuple[Block, ...]] | None = None

    def __getstate__(self) -> dict[str, object]:
        return {"number": self.number, "stamp": self.stamp, "_blocks": None}

    @property
    def blocks(self) -> dict[int, tuple[Block, ...]]:
        if self._blocks is None:
            self._blocks = self.rows.get(_BLOCKS, str(self.number), self.stamp)
        return self._blocks


def size_of(body: Body) -> int:
    """Return how many characters a text has, without reading it."""
    row = _loading(body.source, "text")
    return row.stored.size if row else len(body.source.text)


def _row_of(kind: str, key: str, fields: Fields) -> StoredRow | None:
    """Return the row that holds these fields already, if there is one."""
    row = _loading(*fields[0])
    return row.stored if row and (row.kind, row.key) == (kind, key) else None


def _loading(instance: object, name: str) -> _FieldsRow | None:
    load = loader_of(instance, name)
    return load.row if isinstance(load, _LoadField) else None


def _of_notes(group: Sequence[SearchDocument]) -> list[tuple[int, SearchDocument]]:
    """Return the documents of a group that are of notes, each with its place in the group."""
    return [(at, document) for at, document in enumerate(group) if document.type == "note"]


def _is_stored(group: Sequence[SearchDocument], number: int) -> bool:
    """Return whether the row ``number`` holds the blocks of the notes, each in its place."""
    rows = {
        document.blocks.row
        if isinstance(document.blocks, StoredBlocks) and document.blocks.at == at
        else None
        for at, document in _of_notes(group)
    }
    return not rows or (len(rows) == 1 and (row := rows.pop()) is not None and row.number == number)
