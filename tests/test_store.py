"""The store keeps values from run to run, within bounds."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from perfnotes.storage import sqlite_file
from perfnotes.storage.codec import BYTES, JSON, PICKLE, Codec
from perfnotes.storage.store import Store


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("codec", "value"),
    [
        (JSON, {"a": [1, "\ud800 é", None]}),
        (BYTES, b"\0\xff"),
        (PICKLE, ({"a": (1, Path("x"))}, [sqlite_file.TIMEOUT])),
    ],
)
def test_a_value_comes_back_in_the_next_run(folder: Path, codec: Codec, value: object) -> None:
    store = Store(folder)
    store.section("s", codec).put("key \ud800", value)
    assert store.section("s", codec).get("key \ud800") == value
    assert not folder.exists()
    store.save()
    assert store.section("s", codec).get("key \ud800") == value
    again = Store(folder).section("s", codec)
    assert again.get("key \ud800") == value
    assert again.get("another") is None
    assert list(again.entries()) == [("key \ud800", value)]
    assert list(Store(folder).section("another", codec).entries()) == []


def test_a_dropped_value_is_gone(folder: Path) -> None:
    store = Store(folder)
    for key in "abc":
        store.section("s").put(key, key)
    store.save()
    again = Store(folder)
    again.section("s").drop("b")
    again.section("s").put("d", "d")
    assert again.section("s").get("b") is None
    assert dict(again.section("s").entries()) == {"a": "a", "c": "c", "d": "d"}
    again.save()
    assert dict(Store(folder).section("s").entries()) == {"a": "a", "c": "c", "d": "d"}


def test_without_a_folder_or_a_key_nothing_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.parent / "file").write_text("x", "utf-8")
    for place, home in ((None, "home"), (folder, "file")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / home))
        store = Store(place)
        store.section("s").put("a", 1)
        store.save()
        assert store.section("s").get("a") is None
        assert not store.is_usable
        assert not folder.exists()


def test_a_section_is_bounded_and_keeps_what_was_used_last(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JSON, "largest", 1000)
    other = Store(folder)
    other.section("other").put("x", "x")
    other.save()
    for i in range(50):
        store = Store(folder)
        section = store.section("s")
        section.get("0")
        section.put(str(i), "x" * 40)
        store.save()
        assert sum(len(key) + len(value) + 2 for key, value in section.entries()) <= 1000
    section = Store(folder).section("s")
    assert section.get("0")
    assert section.get("49")
    assert section.get("10") is None
    assert Store(folder).section("other").get("x") == "x"
    assert (folder / "store.sqlite").stat().st_size < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("others", [0, 1, 2])
def test_a_section_of_small_rows_is_bounded_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    """Its rows are added up now and then, also where other sections are saved in between."""
    monkeypatch.setattr(JSON, "largest", 10_000)
    size = 0
    for i in range(300):
        store = Store(folder)
        for _ in range(others):
            store.section("other").put("x", i)
            store.save()
        store.section("s").put(str(i), "x" * 100)
        store.save()
        size = max(size, sum(len(k) + len(v) + 2 for k, v in store.section("s").entries()))
    assert 10_000 <= size < 10_000 + 17 * 110
    assert store.section("s").get("0") is None


def test_a_value_that_the_database_cannot_hold_leaves_it_usable(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("perfnotes.storage.store.LARGEST_VALUE", 100)
    store = Store(folder, said.append)
    store.section("s", PICKLE).put("large", "x" * 200)
    store.section("s", PICKLE).put("small", "x")
    store.save()
    assert len(said) == 1
    assert "cannot be stored" in said[0]
    assert Store(folder).section("s", PICKLE).get("small") == "x"


def test_the_last_use_is_written_now_and_then(folder: Path) -> None:
    """A row that a run reads is written again only after some saves, and never by itself."""
    store = Store(folder)
    for key in "ab":
        store.section("s").put(key, key)
    store.save()
    writes = 0
    for i in range(40):
        before = _uses(folder)
        store = Store(folder)
        assert store.section("s").get("a") == "a"
        store.save()
        assert _uses(folder) == before
        store.section("t").put(str(i), i)
        store.section("s").put("c", i)
        store.save()
        writes += before["a"] != _uses(folder)["a"]
    assert 1 <= writes <= 3
    assert _uses(folder)["b"] == 1


def _uses(folder: Path) -> dict[str, int]:
    connection = sqlite3.connect(folder / "store.sqlite")
    rows = connection.execute("SELECT key, used FROM rows WHERE section = 's'").fetchall()
    connection.close()
    return {key.decode(): used for key, used in rows}


def test_values_that_cannot_be_stored_or_read_are_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    store = Store(folder, said.append)
    values = store.section("values", PICKLE)
    values.put("lost", _Calls())
    values.put("never", lambda: 0)
    assert len(said) == 1
    assert "a value for values in the cache cannot be stored: " in said.pop()
    store.section("rows").put("never", object())
    assert "a value for rows in the cache cannot be stored: " in said.pop()
    monkeypatch.setattr(JSON, "largest", 1000)
    store.section("rows").put("large", "x" * 1000)
    assert said.pop() == "a value for rows in the cache cannot be stored: it has 1002 bytes"
    store.save()
    again = Store(folder, said.append)
    assert again.section("values", PICKLE).get("lost") is None
    assert "a value of values in the cache cannot be read: " in said.pop()
    assert again.section("rows").get("never") is None
    assert said == []


class _Calls:
    """Its pickle calls a function, as that of an attacker would."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("made-by-a-pickle",)


def test_a_pickle_makes_objects_of_our_classes_only() -> None:
    for dangerous in (_Calls(), eval, os.system, subprocess.Popen, Store(None).section, print):
        with pytest.raises(Exception, match=r"no class of a stored value|pickle"):
            PICKLE.decode(PICKLE.encode(dangerous))
    # A name with dots would reach what a module of ours imports.
    with pytest.raises(Exception, match="no class of a stored value"):
        PICKLE.decode(b"\x80\x04\x8c\x17perfnotes.storage.write\x8c\x09os.system\x93.")
    assert not Path("made-by-a-pickle").exists()


def test_files_of_earlier_versions_are_removed(folder: Path) -> None:
    folder.mkdir()
    for name in ("answers.jsonl", "built-1.pickle", ".why.jsonl.1.tmp", "links.json", "mine"):
        (folder / name).write_text("old", "utf-8")
    store = Store(folder)
    store.section("s").put("a", 1)
    store.save()
    del store
    assert sorted(f.name for f in folder.iterdir()) == ["mine", "store.sqlite"]


def test_a_folder_that_is_removed_while_it_is_used_is_made_again(folder: Path) -> None:
    said: list[str] = []
    store = Store(folder, said.append)
    for i in range(3):
        store.section("s").put("a", i)
        store.save()
        shutil.rmtree(folder)
        assert store.section("s").get("a") is None
    store.section("s").put("a", 3)
    store.save()
    assert Store(folder, said.append).section("s").get("a") == 3
    assert said == []
