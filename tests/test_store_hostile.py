"""A stranger's database in the cache folder is not believed, runs nothing and harms no file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from perfnotes.build.page_cache import KeptFiles
from perfnotes.storage.store import Store

_FOREIGN = "store.sqlite of the cache was not written by this user"
_DAMAGED = "store.sqlite of the cache is damaged"
_ROW = "a row of store.sqlite of the cache was not written by this user"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database of a store with the values a and b of two sections."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    _fill(Store(tmp_path / "cache"))
    return tmp_path / "cache" / "store.sqlite"


def _fill(store: Store) -> None:
    for section in ("s", "t"):
        for key in "ab":
            store.section(section).put(key, f"{key} of {section}")
    store.save()


def _values(store: Store) -> list[object]:
    return [store.section(section).get(key) for section in "st" for key in "ab"]


def _run(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def _assert_made_anew(file: Path, *, told: str = _FOREIGN) -> None:
    """Nothing of the file is believed, the user is told once, and the store works from now on."""
    said: list[str] = []
    store = Store(file.parent, said.append)
    assert _values(store) == [None] * 4
    _fill(store)
    assert len(said) == 1, said
    assert said[0].startswith(told)
    again = Store(file.parent, said.append)
    assert _values(again) == ["a of s", "b of s", "a of t", "b of t"]
    assert len(said) == 1, said


TAMPERED: dict[str, tuple[str, list[object]]] = {
    "a value": (
        "UPDATE rows SET value = '\"forged\"' WHERE section = 's' AND key = CAST('a' AS BLOB)",
        [None, "b of s", "a of t", "b of t"],
    ),
    "a value that is no bytes": (
        "UPDATE rows SET value = 7.5 WHERE section = 's' AND key = CAST('a' AS BLOB)",
        [None, "b of s", "a of t", "b of t"],
    ),
    "a seal": (
        "UPDATE rows SET seal = 'é' WHERE section = 't' AND key = CAST('b' AS BLOB)",
        ["a of s", "b of s", "a of t", None],
    ),
    "two values exchanged, each with its seal": (
        "UPDATE rows SET key = CASE key WHEN CAST('a' AS BLOB) THEN CAST('b' AS BLOB) ELSE key END,"
        " value = (SELECT value FROM rows r WHERE r.section = 's' AND r.key != rows.key),"
        " seal = (SELECT seal FROM rows r WHERE r.section = 's' AND r.key != rows.key)"
        " WHERE section = 's' AND key = CAST('b' AS BLOB)",
        ["a of s", None, "a of t", "b of t"],
    ),
    "two sections exchanged": (
        "UPDATE rows SET section = CASE section WHEN 's' THEN 'u' ELSE section END",
        [None, None, "a of t", "b of t"],
    ),
    "a last use": (
        "UPDATE rows SET used = 'x' WHERE key",
        ["a of s", "b of s", "a of t", "b of t"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_row_that_was_changed_is_not_believed(file: Path, what: str) -> None:
    statement, left = TAMPERED[what]
    _run(file, statement)
    said: list[str] = []
    assert _values(Store(file.parent, said.append)) == left
    assert set(said) <= {_ROW}
    store = Store(file.parent)
    _fill(store)
    assert _values(Store(file.parent)) == ["a of s", "b of s", "a of t", "b of t"]


def test_rows_that_change_places_are_not_believed(file: Path) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    query = "SELECT rowid, value, seal FROM rows WHERE section = 's' ORDER BY key"
    (one, *first), (two, *second) = connection.execute(query).fetchall()
    for row, (value, seal) in ((one, second), (two, first)):
        connection.execute("UPDATE rows SET value=?, seal=? WHERE rowid=?", (value, seal, row))
    connection.close()
    said: list[str] = []
    store = Store(file.parent, said.append)
    assert _values(store) == [None, None, "a of t", "b of t"]
    assert dict(store.section("s").entries()) == {}
    assert set(said) == {_ROW}


SCHEMAS = {
    "a trigger": "CREATE TRIGGER x AFTER UPDATE ON rows BEGIN DELETE FROM rows; END",
    "a view": "CREATE VIEW x AS SELECT load_extension('x.so')",
    "a view instead of the table": "CREATE VIEW r AS SELECT * FROM x",
    "a virtual table": "CREATE VIRTUAL TABLE x USING fts5(y)",
    "an index on an expression": "CREATE INDEX x ON rows (length(value))",
    "another table": "CREATE TABLE x (y)",
    "another column": "ALTER TABLE rows ADD COLUMN x DEFAULT (1)",
}


@pytest.mark.parametrize("what", SCHEMAS)
def test_a_schema_that_is_not_ours_is_removed(file: Path, what: str) -> None:
    statements = [SCHEMAS[what]]
    if what == "a view instead of the table":
        statements = ["ALTER TABLE rows RENAME TO x", "CREATE VIEW rows AS SELECT * FROM x"]
    _run(file, *statements)
    _assert_made_anew(file)


def _garbage(file: Path) -> None:
    file.write_bytes(os.urandom(100_000))


def _half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _header_only(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _of_another_user(file: Path) -> None:
    home = Path(os.environ["XDG_CACHE_HOME"])
    os.environ["XDG_CACHE_HOME"] = str(home.parent / "theirs")
    file.unlink()
    _fill(Store(file.parent))
    os.environ["XDG_CACHE_HOME"] = str(home)


def _without_log(file: Path) -> None:
    _run(file, "PRAGMA journal_mode=DELETE")


def _without_first_row(file: Path) -> None:
    _run(file, "DELETE FROM rows WHERE section = ''")


def _many_saves(file: Path) -> None:
    _run(file, f"UPDATE rows SET used = {2**63 - 1} WHERE section = ''")


def _pages_in_a_circle(file: Path) -> None:
    """A schema whose tree has the same page below it again and again."""
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    children = 1000
    for page in range(1, len(data) // size + 1):
        start = (page - 1) * size + (100 if page == 1 else 0)
        cells = (page - 1) * size + size - 8 * children
        struct.pack_into(">BHHHBI", data, start, 5, 0, children, cells - (page - 1) * size, 0, 2)
        for i in range(children):
            at = cells + 8 * i
            struct.pack_into(">H", data, start + 12 + 2 * i, at - (page - 1) * size)
            struct.pack_into(">IB", data, at, 2 + i % 2, i % 100)
    file.write_bytes(data)


FILES: list[Callable[[Path], None]] = [
    _garbage, _half, _header_only, _empty, _of_another_user, _without_log, _without_first_row,
    _many_saves, _pages_in_a_circle,
]  # fmt: skip


@pytest.mark.parametrize("make", FILES)
def test_a_file_that_is_not_ours_is_made_anew(file: Path, make: Callable[[Path], None]) -> None:
    make(file)
    own = make in (_garbage, _half, _header_only, _pages_in_a_circle)
    _assert_made_anew(file, told=_DAMAGED if own else _FOREIGN)


def test_a_file_that_is_damaged_inside_is_made_anew(file: Path) -> None:
    """What opening cannot see is found when a row is read; the next run has a new file."""
    store = Store(file.parent)
    for i in range(200):
        store.section("s").put(str(i), "x" * 2000)
    store.save()
    del store
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] + os.urandom(len(data) - len(data) // 2))
    said: list[str] = []
    store = Store(file.parent, said.append)
    for i in range(200):
        assert store.section("s").get(str(i)) in (None, "x" * 2000)
    assert dict(store.section("s").entries()).items() <= {(str(i), "x" * 2000) for i in range(200)}
    assert said
    del store
    _fill(Store(file.parent))
    assert _values(Store(file.parent)) == ["a of s", "b of s", "a of t", "b of t"]


def test_a_link_is_replaced_and_not_followed(file: Path, tmp_path: Path) -> None:
    """The link leads to a database of the user, which stays as it is."""
    theirs = tmp_path / "other.sqlite"
    _run(theirs, "CREATE TABLE mine (x)", "PRAGMA user_version=7")
    before = theirs.read_bytes()
    file.unlink()
    file.symlink_to(theirs)
    _assert_made_anew(file)
    assert theirs.read_bytes() == before
    assert file.is_file()
    assert not file.is_symlink()


@pytest.mark.parametrize("name", ["store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"])
def test_a_link_beside_the_file_is_not_followed(file: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", "utf-8")
    file.with_name(name).symlink_to(victim)
    for _ in range(2):
        store = Store(file.parent)
        _fill(store)
        assert _values(store) == ["a of s", "b of s", "a of t", "b of t"]
        del store
    assert victim.read_text("utf-8") == "precious"
    assert [f.name for f in file.parent.iterdir()] == ["store.sqlite"]


@pytest.mark.parametrize("name", ["store.sqlite", "store.sqlite-wal", "store.sqlite-journal"])
def test_a_folder_in_its_place_stops_nobody(file: Path, name: str) -> None:
    file.with_name(name).unlink(missing_ok=True)
    file.with_name(name).mkdir()
    (file.with_name(name) / "somebody's").write_text("x", "utf-8")
    said: list[str] = []
    store = Store(file.parent, said.append)
    _fill(store)
    assert _values(store) == [None] * 4
    assert len(said) == 1
    assert said[0].startswith("store.sqlite of the cache cannot be used: ")
    assert (file.with_name(name) / "somebody's").exists()


def test_a_log_of_somebody_else_is_not_believed(file: Path, tmp_path: Path) -> None:
    """A write-ahead log that adds a trigger to our own database."""
    copy = tmp_path / "copy.sqlite"
    shutil.copyfile(file, copy)
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("CREATE TRIGGER x AFTER UPDATE ON rows BEGIN DELETE FROM rows; END")
    shutil.copyfile(f"{copy}-wal", f"{file}-wal")
    connection.close()
    _assert_made_anew(file)


def _hot_journal(database: Path, victim: Path) -> bytes:
    """A rollback journal of no pages that names ``victim`` as the journal above it."""
    pages = database.stat().st_size // 16384
    magic = bytes.fromhex("d9d505f920a163d7")
    name = str(victim).encode()
    head = magic + struct.pack(">IIIII", 0, 0, pages, 512, 16384)
    above = struct.pack(">I", 0x40000000 // 16384 + 1) + name
    above += struct.pack(">II", len(name), sum(name)) + magic
    return head.ljust(512, b"\0") + above


def test_a_journal_of_somebody_else_deletes_no_file(file: Path, tmp_path: Path) -> None:
    """SQLite itself deletes the file that such a journal names, as a control shows."""
    victim = tmp_path / "victim"
    control = tmp_path / "control.sqlite"
    shutil.copyfile(file, control)
    for database in (control, file):
        victim.write_text("precious\n", "utf-8")
        Path(f"{database}-journal").write_bytes(_hot_journal(database, victim))
        if database == control:
            _run(control, "SELECT count(*) FROM rows")
            assert not victim.exists()
    assert _values(Store(file.parent)) == ["a of s", "b of s", "a of t", "b of t"]
    assert victim.exists()
    assert not Path(f"{file}-journal").exists()


def test_a_cache_folder_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    """What the cache no longer needs is removed, and a link can lead to any folder of the user."""
    elsewhere, kept = tmp_path / "elsewhere", ["a.json", "b.pickle"]
    elsewhere.mkdir()
    for name in kept:
        (elsewhere / name).touch()
    (tmp_path / ".perfnotes-cache").symlink_to(elsewhere)
    said: list[str] = []
    store = Store(tmp_path / ".perfnotes-cache", said.append)
    _fill(store)
    assert sorted(file.name for file in elsewhere.iterdir()) == kept
    assert len(said) == 1
    assert ".perfnotes-cache is a symbolic link" in said[0]


def test_kept_pages_behind_a_link_are_not_used(file: Path, tmp_path: Path) -> None:
    elsewhere, page = tmp_path / "elsewhere", tmp_path / "page.html"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    page.write_text("page")
    (file.parent / "pages").symlink_to(elsewhere)
    pages = KeptFiles(Store(file.parent))
    pages.keep("key", page, "digest")
    pages.save()
    assert [file.name for file in elsewhere.iterdir()] == ["kept"]
