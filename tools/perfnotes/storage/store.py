"""The store: results of one run, kept on disk for the next one.

Most values are stored under a hash of everything they depend on: the contents of their input files
and the version of the program. The others, such as the state of a site, are stored under a name and
hold such a hash, which is compared when they are read. So no value that is out of date is used, and
the store may be deleted at any time.

Values are read one by one, when they are asked for. ``save`` writes the new ones in one
transaction, so after a killed run the store is as it was before. A stored value that cannot be read
is computed again, and ``tell`` gets a sentence about it, because otherwise nobody would see why the
run is slow.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from perfnotes.storage.codec import JSON, Codec
from perfnotes.storage.database import Database, SectionChanges, Tell
from perfnotes.storage.seal import user_key
from perfnotes.storage.sqlite_file import LARGEST_VALUE
from perfnotes.storage.write import remove_half_written

FOLDER = ".perfnotes-cache"
_FILE = "store.sqlite"
# The endings of the files that earlier versions kept.
_OLD_ENDINGS = (".json", ".jsonl", ".pickle")
_NOW = 2**60  # later than any save: the last use of these rows need not be written again


class StoreSection:
    """The values of one kind by key."""

    def __init__(self, name: str, codec: Codec, database: Database, tell: Tell) -> None:
        self._name, self._codec, self._database, self._tell = name, codec, database, tell
        self._new: dict[str, bytes | None] = {}  # None for a value that was dropped
        # For each key that was read: the number of the save that wrote the row's last use.
        self._read: dict[str, int] = {}

    def get(self, key: str) -> Any:
        """Return the value stored under ``key``, or None if there is none or it cannot be read."""
        data = self._data(key)
        return None if data is None else self._decoded(data)

    def copy(self, key: str, to: str) -> None:
        """Store the value of ``key`` under ``to`` too; if there is none, drop that of ``to``."""
        self._new[to] = self._data(key)

    def _data(self, key: str) -> bytes | None:
        if key in self._new:
            return self._new[key]
        row = self._database.row(self._name, key)
        if not row:
            return None
        data, self._read[key] = row
        return data

    def put(self, key: str, value: object) -> None:
        """Store a copy of ``value``. A value that cannot be encoded is not stored."""
        if not self._database.is_usable:
            return
        try:
            data = self._codec.encode(value)
        except Exception as error:  # what cannot be encoded can raise anything
            self._tell_unstored(repr(error))
            return
        if len(key) + len(data) > min(self._codec.largest, LARGEST_VALUE):
            self._tell_unstored(f"it has {len(data)} bytes")
            return
        self._new[key] = data

    def entries(self) -> Iterator[tuple[str, Any]]:
        """Yield every key and value: first those used in this run, then those used longer ago."""
        stored = dict(self._database.rows(self._name))
        used = {key: stored[key] for key in self._read if key in stored}
        for key, data in {**self._new, **used, **stored, **self._new}.items():
            value = None if data is None else self._decoded(data)
            if value is not None:
                yield key, value

    def keys(self, prefix: str) -> list[str]:
        """Return the keys of all values that begin with ``prefix``, which is not empty."""
        keys = dict.fromkeys(self._database.keys(self._name, prefix))
        keys |= {key: None for key in self._new if key.startswith(prefix)}
        return [key for key in keys if self._new.get(key, b"") is not None]

    def drop(self, key: str) -> None:
        """Forget a value."""
        self._new[key] = None

    def take_changes(self) -> SectionChanges | None:
        """Return what is to be written, or None, and begin with no changes again."""
        if not self._new:
            return None
        changes = SectionChanges(self._codec.largest, self._new, self._read)
        self._new, self._read = {}, dict.fromkeys(self._read, _NOW)
        return changes

    def _tell_unstored(self, why: str) -> None:
        self._tell(f"a value for {self._name} in the cache cannot be stored: {why}")

    def _decoded(self, data: bytes) -> Any:
        try:
            return self._codec.decode(data)
        except Exception as error:  # if its class has changed, decoding can raise anything
            self._tell(f"a value of {self._name} in the cache cannot be read: {error!r}")
            return None


class Store:
    """The store of a project. ``folder`` is its ``.perfnotes-cache``, or None for no store.

    A folder that is a symbolic link is no store: a pull request can bring the link, and what the
    store no longer needs is removed from its folder.
    """

    def __init__(self, folder: Path | None, tell: Tell = lambda _: None) -> None:
        if folder and folder.is_symlink():
            tell(f"{folder.name} is a symbolic link, so nothing is kept: put a folder in its place")
            folder = None
        if folder and folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK):
            tell(f"{folder.name} cannot be opened, so nothing is kept: give yourself the right to")
            folder = None
        self.folder = folder
        self._tell = tell
        self._sections: dict[str, StoreSection] = {}

    def section(self, name: str, codec: Codec = JSON) -> StoreSection:
        """Return the section ``name``, whose values are encoded by ``codec``."""
        if name not in self._sections:
            self._sections[name] = StoreSection(name, codec, self._database, self._tell)
        return self._sections[name]

    @property
    def is_usable(self) -> bool:
        """Whether values can be stored, as far as is known."""
        return self._database.is_usable

    def save(self) -> None:
        """Write all values that are new. A folder that cannot be written is no error."""
        taken = {name: section.take_changes() for name, section in self._sections.items()}
        changed = {name: changes for name, changes in taken.items() if changes}
        if changed:
            self._database.write(changed)
            self._remove_old_files()

    @cached_property
    def _database(self) -> Database:
        folder = self.folder or Path(os.devnull)
        return Database(folder / _FILE, user_key() if self.folder else b"", self._tell)

    def _remove_old_files(self) -> None:
        """Remove the files in which earlier versions of the program kept what is stored here."""
        if self.folder is None:
            return
        with suppress(OSError):
            for file in self.folder.iterdir():
                if file.suffix in _OLD_ENDINGS:
                    file.unlink()
            remove_half_written(self.folder)
