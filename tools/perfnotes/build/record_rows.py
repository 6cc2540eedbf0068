"""What a record has in rows of its own, each read from the store when it is first asked for.

A build after an edit asks for few of them: of ten thousand notes it looks into the text of one. So
the scanned document of each text has a row, and so have the blocks of each group of pages in the
search index. Whoever reads a row knows its stamp. Where another build has stored another row in its
place meanwhile, RecordError is raised, and everything is built.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.search.document import Block, SearchDocument
from perfnotes.search.shards import Shards
from perfnotes.storage.store import StoreSection
from perfnotes.text.body import Body
from perfnotes.text.loaded_later import load_later, loader_of
from perfnotes.text.tokens import MarkdownDocument

_TEXT, _BLOCKS = "text", "blocks"


class RecordError(Exception):
    """There is no record of a build, or it was written by another version of the program."""


class StoredText(Struct, frozen=True):
    """The row of a text's document: its stamp, and how many characters the text has."""

    stamp: bytes
    size: int


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
    def documents_apart(self, bodies: Mapping[str, Body]) -> Iterator[dict[str, StoredText]]:
        """Store the documents of ``bodies``, and leave them out of what is pickled meanwhile.

        ``bodies`` are by the paths of their texts. Yields what ``load_documents_later`` needs.
        """
        stamp = os.urandom(8)
        stored = {path: row for path, body in bodies.items() if (row := _row_of(body, path))}
        new = {path: body.document for path, body in bodies.items() if path not in stored}
        for path, document in new.items():
            self._put(_TEXT, path, (stamp, document))
            stored[path] = StoredText(stamp, len(document.text))
        self._drop_others(_TEXT, bodies)
        fields = [(vars(body), "document") for body in bodies.values()]
        fields += [(vars(body.source), "text") for body in bodies.values()]
        apart = [(state, name, state.pop(name)) for state, name in fields if name in state]
        try:
            yield stored
        finally:
            for state, name, value in apart:
                state[name] = value

    def load_documents_later(
        self, bodies: Mapping[str, Body], stored: Mapping[str, StoredText]
    ) -> None:
        """Let ``bodies`` that come from a record load their documents and texts."""
        for path, body in bodies.items():
            load_later(body, "document", _DocumentRow(self, path, stored[path]))
            load_later(body.source, "text", _TextOf(body))

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
        for kind in (_TEXT, _BLOCKS):
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


class _DocumentRow:
    """Reads the document of a text."""

    def __init__(self, rows: RecordRows, path: str, stored: StoredText) -> None:
        self._rows, self.path, self.stored = rows, path, stored

    def __call__(self) -> MarkdownDocument:
        document: MarkdownDocument = self._rows.get(_TEXT, self.path, self.stored.stamp)
        return document


class _TextOf:
    """Takes the text of a body's source from the body's document."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def __call__(self) -> str:
        return self._body.document.text


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
    row = loader_of(body, "document")
    return row.stored.size if isinstance(row, _DocumentRow) else len(body.source.text)


def _row_of(body: Body, path: str) -> StoredText | None:
    """Return the row that holds the document of the text ``path``, if there is one."""
    row = loader_of(body, "document")
    return row.stored if isinstance(row, _DocumentRow) and row.path == path else None


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
