"""The store survives runs at once, kills, forks, threads, a lock and no room."""

from __future__ import annotations

import os
import random
import resource
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
from perfnotes.storage.seal import Sealer
from perfnotes.storage.store import Store
from tests.project import ROOT, environment


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "cache"


def python(
    code: str, folder: Path, *more: str, before: Callable[[], object] | None = None
) -> subprocess.Popen[str]:
    """Start Python code that finds ``folder`` and ``more`` in ``sys.argv``."""
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder), *more],
        env=environment(
            PYTHONPATH=str(ROOT / "tools"), XDG_CACHE_HOME=os.environ["XDG_CACHE_HOME"]
        ),
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=before,  # noqa: PLW1509 - no thread runs here
    )


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


@pytest.mark.slow
def test_runs_at_once_lose_nothing(folder: Path) -> None:
    runs = [python(_WRITER, folder, name) for name in "abc"]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    keys = {key for key, value in Store(folder).section("s").entries() if value == "x" * 500}
    assert keys == {f"{name}{i}" for name in "abc" for i in range(100)}
    assert [f.name for f in folder.iterdir()] == ["store.sqlite"]


def test_a_file_has_its_name_only_when_it_is_complete(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> bytes:
        raise KeyboardInterrupt

    store = Store(folder)
    with monkeypatch.context() as patch:
        patch.setattr(Sealer, "seal", stop)
        store.section("s").put("key", 1)
        with pytest.raises(KeyboardInterrupt):
            store.save()
    assert not (folder / "store.sqlite").exists()
    said: list[str] = []
    store = Store(folder, said.append)
    store.section("s").put("key", 1)
    store.save()
    assert Store(folder, said.append).section("s").get("key") == 1
    assert said == []
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


def test_a_folder_that_cannot_be_opened_is_no_store(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may open any folder
    said: list[str] = []
    store = Store(folder, said.append)
    store.section("s").put("a", 1)
    store.save()
    assert store.folder is None
    assert [text.startswith(f"{folder.name} cannot be opened") for text in said] == [True]
