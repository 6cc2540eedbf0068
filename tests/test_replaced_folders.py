"""A folder takes the place of another in one step, and a lock is held by one."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from perfnotes.storage.replaceable import is_replaceable
from perfnotes.storage.write import FolderLock, NewFolder, put_tree, replace_folder
from tests.project import (
    tree,
)


@pytest.fixture
def tree_of_two(tmp_path: Path) -> Iterator[Path]:
    put_tree(tmp_path / "tree", {"a/b.md": b"b", "c.md": b"c"})
    yield tmp_path / "tree"
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_tree_is_made_exactly_and_unchanged_files_stay(tree_of_two: Path) -> None:
    (tree_of_two / ".gitkeep").touch()
    before = (tree_of_two / "c.md").stat()
    assert put_tree(tree_of_two, {"a": b"a file now", "c.md": b"c"}, keep=[".gitkeep"]) == 1
    assert {*tree(tree_of_two)} == {"a", "c.md", ".gitkeep"}
    assert (tree_of_two / "c.md").stat() == before
    put_tree(tree_of_two, {"a/b/c.md": b"a folder again"})
    assert {*tree(tree_of_two)} == {"a/b/c.md"}


def test_a_tree_is_not_written_through_a_link(tree_of_two: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    put_tree(elsewhere, {"b.md": b"kept"})
    shutil.rmtree(tree_of_two / "a")
    (tree_of_two / "a").symlink_to(elsewhere)
    (tree_of_two / "c.md").unlink()
    (tree_of_two / "c.md").symlink_to(elsewhere / "b.md")
    put_tree(tree_of_two, {"a/b.md": b"b", "a/c.md": b"c", "c.md": b"kept"})
    assert not (tree_of_two / "a").is_symlink()
    assert not (tree_of_two / "c.md").is_symlink()
    assert {*tree(elsewhere)} == {"b.md"}
    assert (elsewhere / "b.md").read_bytes() == b"kept"


def test_a_site_may_be_replaced_also_without_its_assets(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text('<link href="assets/perfnotes/site.css">', "utf-8")
    assert is_replaceable(tmp_path)
    page.write_text('<link href="assets/mine/site.css">', "utf-8")
    assert not is_replaceable(tmp_path)


def test_a_folder_takes_the_place_of_another_in_one_step(tmp_path: Path) -> None:
    put_tree(tmp_path / "new", {"x": b"new"})
    put_tree(tmp_path / "place", {"x": b"old", "y": b"old"})
    replace_folder(tmp_path / "new", tmp_path / "place")
    assert {*tree(tmp_path)} == {"place/x"}
    assert (tmp_path / "place" / "x").read_bytes() == b"new"


def test_a_folder_takes_its_place_also_without_the_system_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfnotes.storage.write._swap", lambda *_: False)
    test_a_folder_takes_the_place_of_another_in_one_step(tmp_path)


def test_a_new_folder_stands_at_its_place_or_is_gone(tmp_path: Path) -> None:
    place = tmp_path / "place"
    for expected in ({"a"}, {"b"}):
        new = NewFolder(place)
        (new.make() / next(iter(expected))).touch()
        new.publish()
        new.drop()
        assert {*tree(place)} == expected
    dropped = NewFolder(place)
    (dropped.make() / "c").touch()
    dropped.drop()
    assert {p.name for p in tmp_path.iterdir()} == {"place"}
    assert {*tree(place)} == {"b"}


@pytest.fixture(params=["main", "other"])
def interrupt(request: pytest.FixtureRequest) -> Iterator[Callable[[], None]]:
    """Ctrl-C, as it comes to a process of one thread, or of several."""
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    heard, bell = os.pipe()
    os.set_blocking(bell, False)
    before = signal.set_wakeup_fd(bell)

    def send() -> None:
        is_main = request.param == "main"
        thread = threading.main_thread() if is_main else other
        assert thread.ident
        signal.pthread_kill(thread.ident, signal.SIGINT)
        if not is_main:
            os.read(heard, 1)  # the system does this when it comes to it

    yield send
    signal.set_wakeup_fd(before)
    os.close(heard)
    os.close(bell)
    done.set()
    other.join()


@pytest.mark.parametrize("step", ["mkdir", "flock", "rmtree"])
def test_a_new_folder_that_is_interrupted_at_once_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupt: Callable[[], None], step: str
) -> None:
    where: Any = {"mkdir": Path, "flock": fcntl, "rmtree": shutil}[step]
    work = getattr(where, step)

    def with_signals(*given: Any, **named: Any) -> Any:
        is_ours = step == "flock" or ".building-" in str(given[0])
        if is_ours:
            interrupt()
        done = work(*given, **named)
        if is_ours:
            interrupt()
        return done

    new = NewFolder(tmp_path / "place")

    def make_and_drop() -> None:
        try:
            (new.make() / "a").touch()
        finally:
            new.drop()

    before = signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with monkeypatch.context() as patch:
        patch.setattr(where, step, with_signals)
        with pytest.raises(KeyboardInterrupt):
            make_and_drop()
    assert not list(tmp_path.iterdir())
    after = signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert after == before


def test_a_new_folder_follows_a_link_and_keeps_the_mode(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    new = NewFolder(tmp_path / "link")
    (new.make() / "a").touch()
    new.publish()
    assert (tmp_path / "link").is_symlink()
    assert {*tree(tmp_path / "real")} == {"a"}
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o700


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    first = FolderLock.take(tmp_path)
    assert first
    assert FolderLock.take(tmp_path) is None
    first.release()
    first.release()
    second = FolderLock.wait(tmp_path, lambda: pytest.fail("nobody holds it"))
    second.release()
