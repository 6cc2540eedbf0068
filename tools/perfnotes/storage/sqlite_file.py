"""Opens the SQLite file of a project's store. A file that this user did not write is replaced.

The file lies in the project's folder, so a pull request can bring one. Before SQLite reads it, a
rollback journal beside it is removed, since playing one back can delete any file of the user. Then
the schema must be exactly the one below, so no trigger, view or virtual table is ever used, and the
first row must bear this user's seal.

The file has a write-ahead log: readers and one writer work at once, and what a killed process did
not commit is left out. SQLite does not wait for the disk here. A power failure can therefore damage
the file, and then a new one is made.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from perfnotes.storage.seal import Sealer
from perfnotes.storage.write import FolderLock

TIMEOUT = 5.0  # seconds to wait for another process that writes
# Each of the two large parts of a record takes 1.3 bytes for each character of the notes.
LARGEST_VALUE = 192 * 1024 * 1024  # bytes
_LARGEST_FILE = 1024 * 1024 * 1024  # bytes
# Steps of SQLite's virtual machine for a query, which a forged tree of pages could make endless.
_MOST_STEPS = 50_000_000
_MOST_SAVES = 2**48

_TABLE = (
    "CREATE TABLE rows (section TEXT NOT NULL, key BLOB NOT NULL, used INTEGER NOT NULL,"
    " seal BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (section, key))"
)
_SCHEMA = [
    (b"index", b"sqlite_autoindex_rows_1", b"rows", None),
    (b"table", b"rows", b"rows", _TABLE.encode()),
]
_SETTINGS = ("trusted_schema=OFF", "cell_size_check=ON", "synchronous=OFF", "secure_delete=OFF")
# The first row tells whose file this is. Its ``used`` is the number of saves so far.
_FIRST = ("", b"", b"perfnotes 1")  # section, key, value
_BESIDE = ("-journal", "-wal", "-shm")  # what SQLite writes beside a file
_DAMAGED = {
    sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA,
}  # fmt: skip


class ForeignError(Exception):
    """This user's runs have not written the file."""


def opened(file: Path, sealer: Sealer, *, make: bool) -> tuple[sqlite3.Connection | None, str]:
    """Open ``file``; return the connection, and the predicate about a file that was removed.

    If there is no file, one is made if ``make`` is true; otherwise the connection is None. One
    process at a time opens a file, since it locks the folder. Raises ``ForeignError``,
    ``sqlite3.Error`` or ``OSError`` if the file can neither be used nor removed.
    """
    wrong = ""
    if make:
        file.parent.mkdir(parents=True, exist_ok=True)
    elif not os.path.lexists(file):
        return None, wrong
    lock = FolderLock.wait(file.parent, lambda: None)
    try:
        if os.path.lexists(file):
            try:
                return _checked(file, sealer), wrong
            except (sqlite3.Error, ForeignError) as error:
                if not is_damaged(error):
                    raise
                wrong = f"was not written by this user: {error}"
                if isinstance(error, sqlite3.Error):
                    wrong = f"is damaged and is made again: {error}"
                remove(file)
        if not make:
            return None, wrong
        _make(file, sealer)
        return _checked(file, sealer), wrong
    finally:
        lock.release()


def count_save(connection: sqlite3.Connection) -> int:
    """Add one to the number of saves and return it."""
    where = "WHERE section = ? AND key = ?"
    connection.execute(f"UPDATE rows SET used = used + 1 {where}", _FIRST[:2])
    found = connection.execute(f"SELECT used FROM rows {where}", _FIRST[:2]).fetchone()
    if not found or not isinstance(found[0], int):
        raise ForeignError("its first row is gone")
    return found[0]


def remove(file: Path) -> None:
    """Remove the file and what SQLite writes beside it."""
    for ending in (*_BESIDE, ""):
        file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)


def is_damaged(error: Exception) -> bool:
    """Whether the error says that the file can only be removed."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, ForeignError) or (code is not None and code & 0xFF in _DAMAGED)


def _checked(file: Path, sealer: Sealer) -> sqlite3.Connection:
    """Open the file. Raises ForeignError if it is not as this user's runs make it."""
    journal, *others = (file.with_name(f"{file.name}{ending}") for ending in (*_BESIDE, ""))
    if os.path.lexists(journal):
        journal.unlink(missing_ok=True)
    for each in others:
        with suppress(FileNotFoundError):  # another process may be closing the file
            if not stat.S_ISREG(each.lstat().st_mode):
                raise ForeignError(f"{each.name} is no file")
    if file.stat().st_size > _LARGEST_FILE:
        raise ForeignError("it is too large")
    connection = _connect(file, "rw")
    try:
        _check(connection, sealer)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, sealer: Sealer) -> None:
    schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 9")
    if sorted(schema, key=str) != _SCHEMA:
        raise ForeignError("it has other tables")
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != b"wal":
        raise ForeignError("it has no write-ahead log")
    section, key, value = _FIRST
    query = "SELECT seal, used FROM rows WHERE section = ? AND key = ? AND value = ?"
    first = connection.execute(query, _FIRST).fetchall()
    if not first or not sealer.is_valid(first[0][0], section.encode(), key, value):
        raise ForeignError("it is not sealed with this user's key")
    saves = first[0][1]
    if not isinstance(saves, int) or not 0 <= saves < _MOST_SAVES:
        raise ForeignError("its number of saves is wrong")


def _make(file: Path, sealer: Sealer) -> None:
    """Make the file, without the rollback journal that ``_checked`` in other processes removes.

    It gets its name when it is complete: a process may be killed at any moment.
    """
    remove(file)
    new = file.with_name(f"{file.name}.new")
    remove(new)
    connection = _connect(new, "rwc")
    try:
        connection.execute("PRAGMA page_size=16384")
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute(_TABLE)
        section, key, value = _FIRST
        seal = sealer.seal(section.encode(), key, value)
        connection.execute("INSERT INTO rows VALUES (?, ?, 0, ?, ?)", (section, key, seal, value))
        connection.execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()
    new.replace(file)


def _connect(file: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.text_factory = bytes  # a forged text may be no UTF-8
        connection.set_progress_handler(lambda: 1, _MOST_STEPS)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE + 4096)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0)
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection
