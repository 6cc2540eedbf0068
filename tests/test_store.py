"""The store keeps values from run to run, within bounds, and survives kills, forks and no room."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from perfnotes.storage import sqlite_file
from perfnotes.storage.codec import BYTES, JSON, PICKLE, Codec
from perfnotes.storage.store import Store
from tests.project import ROOT, environment


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "cache"


def python(
    code: str, folder: Path, *more: str, before: Callable[[], object] | None = None
) -> subprocess.Popen[str]:
    """Starts Python code that finds ``folder`` and ``more`` in ``sys.argv``."""
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder), *more],
        env=environment(
            PYTHONPATH=str(ROOT / "tools"), XDG_CACHE_HOME=os.environ["XDG_CACHE_HOME"]
        ),
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=before,  # noqa: PLW1509 - no thread runs here
    )


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


_WRITER = """
import sys
from pathlib import Path
from perfnotes.storage.store import Store
said = []
for i in range(100):
    store = Store(Path(sys.argv[1]), said.append)
    section = store.section("s")
    assert i == 0 or section.get(f"{sys.argv[2]}{i - 1}") == "x" * 500
    section.put(f"{sys.argv[2]}{i}", "x" * 500)
    store.save()
assert said == [], said
"""


def test_runs_at_once_lose_nothing(folder: Path) -> None:
    runs = [python(_WRITER, folder, name) for name in "abc"]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    keys = {key for key, value in Store(folder).section("s").entries() if value == "x" * 500}
    assert keys == {f"{name}{i}" for name in "abc" for i in range(100)}
    assert [f.name for f in folder.iterdir()] == ["store.sqlite"]


_PAIRS = """
import sys
from pathlib import Path
from perfnotes.storage.store import Store
store = Store(Path(sys.argv[1]))
print("ready", flush=True)
for i in range(100000):
    for key in ("one", "two"):
        store.section(key).put(key, [i, "x" * 50000])
    store.save()
"""


@pytest.mark.slow
def test_a_killed_run_leaves_what_was_stored(folder: Path) -> None:
    """Each save writes two rows with the same number; half of a save would leave two numbers."""
    said: list[str] = []
    chance = random.Random(1)
    found = set()
    for _ in range(20):
        run = python(_PAIRS, folder)
        assert run.stdout
        run.stdout.readline()
        time.sleep(chance.uniform(0, 0.05))
        run.kill()
        run.wait()
        run.stdout.close()
        store = Store(folder, said.append)
        one, two = (store.section(key).get(key) for key in ("one", "two"))
        assert one == two
        found.add(one and one[0])
    assert said == []
    assert len(found) > 5


def test_forked_processes_open_the_store_themselves(folder: Path) -> None:
    store = Store(folder)
    store.section("s").put("parent", 1)
    store.save()
    assert store.section("s").get("parent") == 1
    children = []
    for i in range(4):
        child = os.fork()
        if child == 0:
            right = store.section("s").get("parent") == 1
            store.section("s").put(f"child {i}", i)
            store.save()
            os._exit(0 if right else 1)
        children.append(child)
        store.section("s").put(f"parent {i}", i)
        store.save()
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    expected = {f"{who} {i}": i for who in ("child", "parent") for i in range(4)} | {"parent": 1}
    assert dict(Store(folder).section("s").entries()) == expected


def test_threads_read_while_one_writes(folder: Path) -> None:
    said: list[str] = []
    store = Store(folder, said.append)
    for i in range(200):
        store.section("s").put(str(i), i)
    store.save()
    found: list[list[int]] = []

    def read() -> None:
        found.append([store.section("s").get(str(i)) for i in range(200)])

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for i in range(20):
        store.section("t").put(str(i), i)
        store.save()
    for thread in threads:
        thread.join()
    assert said == []
    assert found == [list(range(200))] * 4


def test_a_locked_store_stops_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "TIMEOUT", 0.05)
    first = Store(folder)
    first.section("s").put("a", 1)
    first.save()
    other = sqlite3.connect(folder / "store.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said: list[str] = []
    store = Store(folder, said.append)
    assert store.section("s").get("a") == 1  # whoever writes does not keep others from reading
    store.section("s").put("b", 2)
    store.save()
    assert said == ["store.sqlite of the cache cannot be used: database is locked"]
    assert store.section("s").get("a") is None
    store.section("s").put("b", 2)
    store.save()
    assert len(said) == 1
    other.execute("ROLLBACK")
    other.close()
    assert dict(Store(folder).section("s").entries()) == {"a": 1}


_READS = """
import sys
from pathlib import Path
from perfnotes.storage.store import Store
store = Store(Path(sys.argv[1]), print)
section = store.section("s")
section.get("a")
section.put("b", "x" * 1000000)
store.save()
assert section.get("b") is None
"""


def test_a_full_disk_stops_nobody(folder: Path) -> None:
    store = Store(folder)
    store.section("s").put("a", 1)
    store.save()
    del store

    def limit_size() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    run = python(_READS, folder, before=limit_size)
    said = run.communicate(timeout=60)[0]
    assert run.returncode == 0
    assert said.startswith("store.sqlite of the cache cannot be used: ")
    assert said.count("\n") == 1
    assert dict(Store(folder).section("s").entries()) == {"a": 1}


def test_a_folder_that_is_read_only_stops_nobody(folder: Path) -> None:
    store = Store(folder)
    store.section("s").put("a", 1)
    store.save()
    del store
    bind = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(folder), str(folder)]
    done = subprocess.run(
        [*bind, sys.executable, "-c", _READS, str(folder)],
        env=environment(
            PYTHONPATH=str(ROOT / "tools"), XDG_CACHE_HOME=os.environ["XDG_CACHE_HOME"]
        ),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("store.sqlite of the cache cannot be used: ")
    assert done.stdout.count("\n") == 1
    assert dict(Store(folder).section("s").entries()) == {"a": 1}
