"""The rows of a project's store: bytes by section and key, each row with a seal.

A row is used only if its seal fits its section, its key and its value. If anything fails, the run
goes on without the database, and the function ``tell`` gets a sentence about it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from msgspec import Struct

from perfnotes.storage import sqlite_file
from perfnotes.storage.seal import Sealer

Tell = Callable[[str], object]  # takes a sentence about what cannot be read or stored

_TOUCH_AFTER = 16  # saves after which the last use of a row is written again
# Measuring a large section takes longer than writing what an edit changed. So a section is measured
# in each save whose number is a multiple of ``_MEASURE_AFTER``, and in a save that writes more than
# 1/``_MEASURED_SHARE`` of what the section may hold. 17 is prime: commands write a section in every
# second or third save, and with another number some sections might never be measured.
_MEASURE_AFTER = 17
_MEASURED_SHARE = 64


class SectionChanges(Struct, frozen=True):
    """What a run did to one section, which may hold ``largest`` bytes.

    A value in ``new`` is None if the row is to be removed. ``read`` are the keys that were read,
    each with the number of the save that wrote its last use.
    """

    largest: int
    new: Mapping[str, bytes | None]
    read: Mapping[str, int]


class Database:
    """Opens ``file`` when it is first asked for a row, and makes it at the first ``write``.

    Without a ``key`` for the seals it has no rows and stores none.
    """

    def __init__(self, file: Path, key: bytes, tell: Tell) -> None:
        self._file, self._sealer, self._tell = file, Sealer(key), tell
        self._lock = threading.RLock()  # a server asks from several threads
        self._connection: sqlite3.Connection | None = None
        self.is_usable = bool(key)  # as far as is known
        self._has_told = False  # whether ``tell`` got the sentence about rows with a wrong seal
        _databases.add(self)

    def row(self, section: str, key: str) -> tuple[bytes, int] | None:
        """Return a value and the number of the save that wrote its last use, if there is one."""
        query = "SELECT value, seal, used FROM rows WHERE section = ? AND key = ?"
        name = _bytes(key)
        for value, seal, used in self._rows(query, section, name):
            if self._is_ours(seal, section, name, value):
                return value, used if isinstance(used, int) else 0
        return None

    def rows(self, section: str) -> list[tuple[str, bytes]]:
        """Return all keys and values of a section, those that were used last first."""
        query = "SELECT key, value, seal FROM rows WHERE section = ? ORDER BY used DESC, rowid DESC"

        def work(connection: sqlite3.Connection) -> Iterable[tuple[str, bytes]]:
            found: dict[str, bytes] = {}  # a forged file may have many rows with one key
            for key, value, seal in connection.execute(query, (section,)):
                if self._is_ours(seal, section, key, value):
                    found[key.decode("utf-8", "surrogatepass")] = value
            return found.items()

        return self._try(work, make=False)

    def keys(self, section: str, prefix: str) -> list[str]:
        """Return the keys of a section that begin with ``prefix``. Seals are not checked."""
        query = "SELECT key FROM rows WHERE section = ? AND key >= ? AND key < ?"
        first = _bytes(prefix)
        rows = self._rows(query, section, first, first[:-1] + bytes([first[-1] + 1]))
        return [key.decode("utf-8", "replace") for (key,) in rows if isinstance(key, bytes)]

    def write(self, sections: Mapping[str, SectionChanges]) -> None:
        """Write all changes in one transaction, and drop the rows that were used longest ago.

        The file is closed afterwards, so that a server notices when somebody removes it.
        """

        def work(connection: sqlite3.Connection) -> list[Any]:
            connection.execute("BEGIN IMMEDIATE")
            try:
                number = sqlite_file.count_save(connection)
                for name, changes in sections.items():
                    self._write_section(connection, name, changes, number)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.rollback()
                raise
            return []

        self._try(work, make=True)
        self.close()

    def close(self) -> None:
        """Close the file. It is opened again when it is needed."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection:
                with suppress(sqlite3.Error):
                    connection.close()

    def __del__(self) -> None:
        self.close()

    def _write_section(
        self, connection: sqlite3.Connection, name: str, changes: SectionChanges, number: int
    ) -> None:
        section = name.encode()
        new = [(_bytes(key), value) for key, value in changes.new.items()]
        connection.executemany(
            "DELETE FROM rows WHERE section = ? AND key = ?",
            ((name, key) for key, value in new if value is None),
        )
        connection.executemany(
            "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)",
            (
                (name, key, number, self._sealer.seal(section, key, value), value)
                for key, value in new
                if value is not None
            ),
        )
        old = (key for key, used in changes.read.items() if used < number - _TOUCH_AFTER)
        _touch(connection, name, old, number)
        written = sum(len(key) + len(value or b"") for key, value in new)
        if number % _MEASURE_AFTER and written <= changes.largest // _MEASURED_SHARE:
            return
        size = "SELECT total(length(key) + length(value)) FROM rows WHERE section = ?"
        if connection.execute(size, (name,)).fetchone()[0] > changes.largest:
            _touch(connection, name, changes.read, number)
            _drop_oldest(connection, name, changes.largest)

    def _is_ours(self, seal: object, section: str, key: object, value: object) -> bool:
        is_ours = (
            isinstance(key, bytes)
            and isinstance(value, bytes)
            and self._sealer.is_valid(seal, section.encode(), key, value)
        )
        if not is_ours and not self._has_told:
            self._has_told = True
            self._tell(f"a row of {self._file.name} of the cache was not written by this user")
        return is_ours

    def _rows(self, query: str, *given: str | bytes) -> list[Any]:
        return self._try(lambda connection: connection.execute(query, given), make=False)

    def _try(self, work: Callable[[sqlite3.Connection], Iterable[Any]], *, make: bool) -> list[Any]:
        """Return the rows that ``work`` gives, or none if there is no file or anything fails."""
        with self._lock:
            if not self.is_usable:
                return []
            try:
                if self._connection is None:
                    self._connection, wrong = sqlite_file.opened(
                        self._file, self._sealer, make=make
                    )
                    if wrong:
                        self._tell(f"{self._file.name} of the cache {wrong}")
                return list(work(self._connection)) if self._connection else []
            except (sqlite3.Error, sqlite_file.ForeignError, OSError) as error:
                self.is_usable = False
                self._tell(f"{self._file.name} of the cache cannot be used: {error}")
                self.close()
                if sqlite_file.is_damaged(error):
                    with suppress(OSError):
                        sqlite_file.remove(self._file)
                return []


_databases: WeakSet[Database] = WeakSet()


def _close_all() -> None:
    for database in list(_databases):
        database.close()


# SQLite must not be used across a fork, so each database is closed before one. Both processes open
# it again when they need it.
os.register_at_fork(before=_close_all)


def _bytes(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")


def _touch(connection: sqlite3.Connection, section: str, keys: Iterable[str], number: int) -> None:
    connection.executemany(
        "UPDATE rows SET used = ? WHERE section = ? AND key = ?",
        ((number, section, _bytes(key)) for key in keys),
    )


def _drop_oldest(connection: sqlite3.Connection, section: str, largest: int) -> None:
    """Remove the rows that were used longest ago, until at most ``largest`` bytes are left."""
    query = (
        "SELECT rowid, ifnull(length(key) + length(value), 0) FROM rows WHERE section = ?"
        " ORDER BY used DESC, rowid DESC"
    )
    gone: list[tuple[int]] = []
    for row, size in connection.execute(query, (section,)):
        largest -= size
        if largest < 0:
            gone.append((row,))
    connection.executemany("DELETE FROM rows WHERE rowid = ?", gone)
