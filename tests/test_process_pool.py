"""Work on all cores gives what one core gives, and ends in order when something goes wrong."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from perfnotes.build.clock import Clock
from perfnotes.build.configuration import configuration
from perfnotes.build.messages import ToPublish
from perfnotes.build.page_settings import page_settings
from perfnotes.build.process_pool import ProcessPool, cores
from perfnotes.build.publish import Publisher
from perfnotes.build.templates import environment
from perfnotes.graph.site import Site
from perfnotes.site.stage import Stage, stage
from perfnotes.source.project import UsageError
from perfnotes.storage.store import Store
from tests.example_notes import read_site, write_notes
from tests.project import differences

COUNT = 200


def gone(pids: list[int]) -> bool:
    """Whether none of the processes is there, not even unwaited for."""
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def fill(pool: ProcessPool[int, Any], count: int = COUNT) -> None:
    for number in range(count):
        pool.add(number)


def helpers(pool: ProcessPool[Any, Any]) -> list[int]:
    return list(pool._running)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_results_come_by_number_from_any_number_of_processes(size: int) -> None:
    pool: ProcessPool[int, tuple[int, int]] = ProcessPool(lambda n: (n * n, os.getpid()), size)
    with pool:
        pids = helpers(pool)
        assert len(pids) == size - 1
        fill(pool)
        results = pool.finish()
    assert [square for square, _ in results] == [n * n for n in range(COUNT)]
    assert {pid for _, pid in results} <= {os.getpid(), *pids}
    assert gone(pids)


def test_no_task_at_all_gives_no_result() -> None:
    pool: ProcessPool[int, int] = ProcessPool(abs, 2)
    with pool:
        assert pool.finish() == []


def test_what_is_left_is_known() -> None:
    seen = []
    pool: ProcessPool[int, int] = ProcessPool(abs, 1)
    with pool:
        fill(pool, 3)
        pool.finish(lambda: seen.append(pool.left))
    assert seen == [2, 1, 0]


def test_a_process_with_threads_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert cores() == 1


def only_in_a_helper(parent: int, error: Exception) -> None:
    """Raise in a forked process; wait for it in the parent."""
    if os.getpid() != parent:
        raise error
    time.sleep(0.005)


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (OSError(28, "No space left on device", "page"), OSError),
        (UsageError("mkdocs.yml: 7 is no name"), UsageError),
        (ValueError(7), RuntimeError),
    ],
)
def test_an_error_in_a_helper_is_raised_here(error: Exception, wanted: type[Exception]) -> None:
    parent = os.getpid()
    pool: ProcessPool[int, None] = ProcessPool(lambda _: only_in_a_helper(parent, error), 2)
    with pool:
        fill(pool)
        with pytest.raises(wanted, match=r"No space left|7"):
            pool.finish()


def test_a_killed_helper_is_an_error_and_not_a_page_less() -> None:
    pool: ProcessPool[int, None] = ProcessPool(lambda _: time.sleep(0.005), 2)
    with pool:
        fill(pool)
        os.kill(helpers(pool)[0], signal.SIGKILL)
        with pytest.raises(ChildProcessError):
            pool.finish()


class KillsItsPickler:
    """Ends the process that pickles it, as the system does when memory is short."""

    def __reduce__(self) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_helper_that_is_killed_while_it_sends_its_results_is_an_error() -> None:
    begin = os.getpid  # a pool with ``begin`` leaves all tasks to the helper
    results: list[Any] = [b"x" * 200_000, KillsItsPickler()]
    pool: ProcessPool[int, Any] = ProcessPool(results.__getitem__, 2, begin)
    with pool:
        fill(pool, 2)
        with pytest.raises(ChildProcessError, match="status 9"):
            pool.finish()


def test_a_fork_that_the_system_refuses_leaves_no_file_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr("os.fork", refuse)
    pool: ProcessPool[int, int] = ProcessPool(abs, 3)
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pool:
        assert len(list(Path("/proc/self/fd").iterdir())) == before
        fill(pool, 2)
        assert pool.finish() == [0, 1]


def test_leaving_early_ends_all_processes() -> None:
    pool: ProcessPool[int, None] = ProcessPool(lambda _: time.sleep(60), 3)
    with pool:
        fill(pool)
        pids = helpers(pool)
        assert len(pids) == 2
    assert gone(pids)


def publish(site: Site, staged: Stage, folder: Path, size: int) -> None:
    settings = page_settings(configuration())
    publisher = Publisher(settings, environment(settings, Store(None)), folder)
    with ProcessPool(publisher.publish, size) as pool:
        for path, page in staged.pages.items():
            source, markdown = staged.files[path], staged.markdown[path]
            pool.add(ToPublish(page.url, source, markdown, mend=not site.library.own))
        assert not any(done.dangers for done in pool.finish())


@pytest.mark.slow
def test_pages_are_the_same_from_one_process_and_from_three(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path / "notes", {}))
    staged = stage(site)
    publish(site, staged, tmp_path / "one", 1)
    publish(site, staged, tmp_path / "three", 3)
    assert len(list((tmp_path / "one").rglob("index.html"))) == len(staged.pages)
    assert differences(tmp_path / "one", tmp_path / "three") == []


def test_a_clock_counts_by_phase(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with clock.phase("read"):
        sum(range(100_000))
    clock.add("judge", 0.25)
    clock.show("pages", 1, 2)
    clock.clear()
    lines = clock.table().splitlines()
    assert [line.split()[0] for line in lines] == ["CPU", "read", "judge", "start", "all"]
    assert lines[2].split() == ["judge", "0.25"]
    assert capsys.readouterr().err == "", "without a terminal nothing is shown"
