"""The parts of a record that have rows of their own in the store, read when first asked for.

A build after an edit needs few of them: after an edit of a sentence in one of ten thousand notes it
looks into two texts. So each text's scanned document has a row, and so have each review's readings
and, for each group of pages of the search index, the blocks of its notes. The record names the
stamp of each row. If another build has replaced a row since the record was read, the stamps differ,
RecordError is raised, and everything is built.
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
from perfnotes.text.lazy_field import loader_of, set_loader

TEXT, REVIEW = "text", "review"  # kinds of rows
_BLOCKS = "blocks"


class RecordError(Exception):
    """A part of a record cannot be used, so everything has to be built.

    It is missing, another version of the program wrote it, or another build has replaced it since
    the first part of this record was read.
    """


class StoredRow(Struct, frozen=True):
    """What a record says of a row: its stamp, and the length of its text in characters."""

    stamp: bytes
    size: int


# Objects, each with the name of one of its fields, which may be loaded later.
Fields = Sequence[tuple[Any, str]]


def text_fields(body: Body) -> Fields:
    """Return the fields of a text that are stored in a row."""
    return (body, "document"), (body.source, "text")


def review_fields(review: Review) -> Fields:
    """Return the fields of a review that are stored in a row."""
    return (review, "readings"), (review.source, "text")


class StoredBlocks(Sequence[Block]):
    """The blocks of a search document, which are entry ``at`` of the row of its group of pages."""

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
    def without_fields(
        self, kind: str, fields: Mapping[str, Fields]
    ) -> Iterator[dict[str, StoredRow]]:
        """Store fields of objects, a row for each key, and take them from the objects for a while.

        Inside the context the objects lack these fields, so a pickle of them that is made there is
        small. The last field of each row is a text. Yields what ``load_fields_later`` needs.
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
        """Make objects from a record load the fields that it lacks when they are asked for."""
        for key, each in fields.items():
            row = _FieldsRow(self, kind, key, stored[key])
            for i, (instance, name) in enumerate(each):
                set_loader(instance, name, _LoadField(row, i))

    def without_blocks(self, shards: Shards) -> Shards:
        """Store the blocks of the notes, and return the shards with references to their rows.

        The documents that are no notes are small and stay whole.
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
        """Make the documents of ``shards``, from a record, load their blocks when asked for."""
        for document in shards.documents:
            if isinstance(document.blocks, StoredBlocks):
                document.blocks.row.rows = self

    def get(self, kind: str, key: str, stamp: bytes) -> Any:
        """Return the value of a row. Raises RecordError if the row has another stamp."""
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
    """A row with fields of objects, which is read once."""

    def __init__(self, rows: RecordRows, kind: str, key: str, stored: StoredRow) -> None:
        self._rows, self.kind, self.key, self.stored = rows, kind, key, stored

    @cached_property
    def values(self) -> tuple[Any, ...]:
        values: tuple[Any, ...] = self._rows.get(self.kind, self.key, self.stored.stamp)
        return values


class _LoadField(Struct):
    """Loads field number ``i`` of a row."""

    row: _FieldsRow
    i: int

    def __call__(self) -> Any:
        return self.row.values[self.i]


class _BlocksRow:
    """The row with the blocks of group ``number``. It is read once."""

    rows: RecordRows  # set by ``load_blocks_later``

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
    """Return how many characters a text has, without loading it from its row."""
    row = _loading(body.source, "text")
    return row.stored.size if row else len(body.source.text)


def _row_of(kind: str, key: str, fields: Fields) -> StoredRow | None:
    """Return the row in which these fields are stored already, or None."""
    row = _loading(*fields[0])
    return row.stored if row and (row.kind, row.key) == (kind, key) else None


def _loading(instance: object, name: str) -> _FieldsRow | None:
    load = loader_of(instance, name)
    return load.row if isinstance(load, _LoadField) else None


def _of_notes(group: Sequence[SearchDocument]) -> list[tuple[int, SearchDocument]]:
    """Return the documents of notes in a group, each after its place in the group."""
    return [(at, document) for at, document in enumerate(group) if document.type == "note"]


def _is_stored(group: Sequence[SearchDocument], number: int) -> bool:
    """Return whether row ``number`` has the blocks of all notes of the group in their places."""
    rows = {
        document.blocks.row
        if isinstance(document.blocks, StoredBlocks) and document.blocks.at == at
        else None
        for at, document in _of_notes(group)
    }
    return not rows or (len(rows) == 1 and (row := rows.pop()) is not None and row.number == number)
