"""After builds that are stopped or killed, and after two at once, the site is whole: it is the last
one or the next, and nothing half done lies beside it."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.project import copy_built, differences, end, perfnotes, run, start
from tests.safe_builds import (
    BUILDS,
    ROWS,
    assert_nothing_changed,
    assert_nothing_left,
    assert_says_once,
    edit,
    project,
    run_on_full_disk,
)

__all__ = ["project"]  # the fixture

slow = pytest.mark.slow


@pytest.fixture(scope="module")
def next_site(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the next build of ``project`` makes when it is left alone."""
    project = tmp_path_factory.mktemp("next") / "project"
    copy_built(built_example, project)
    edit(project, "One more sentence.")
    run(project, perfnotes("build", "--quiet"))
    page = project / "site" / "caches" / "rows" / "index.html"
    assert "One more sentence." in page.read_text("utf-8")
    return project / "site"


def reads_notes(project: Path, pid: int) -> bool:
    """Whether the process has begun: it holds the lock on the staged tree."""
    stage = str(project / "build" / "stage")
    try:
        with os.scandir(f"/proc/{pid}/fd") as entries:
            return any(os.readlink(entry) == stage for entry in entries)  # noqa: PTH115
    except OSError:
        return False


def wrote_stage(project: Path, _: int) -> bool:
    staged = project / "build" / "stage" / "caches" / "rows" / "index.md"
    return staged.exists() and "One more sentence." in staged.read_text("utf-8")


def writes_site(project: Path, _: int) -> bool:
    with os.scandir(project) as entries:  # without a Path for each, since it is asked all the time
        return any(entry.name.startswith(".site.building-") for entry in entries)


def wrote_pages(project: Path, _: int) -> bool:
    if not writes_site(project, 0):
        return False
    folders = project.glob(".site.building-*")
    files = [name for folder in folders for _, _, names in os.walk(folder) for name in names]
    return files.count("index.html") > 20


Moment = Callable[[Path, int], bool]
MOMENTS = [reads_notes, wrote_stage, writes_site, wrote_pages]


# Only MkDocs stages the pages in a folder. The signals take turns, so that each command meets both;
# all combinations are tried at random by benchmarks/hostile/kills.py.
SIGNALS = itertools.cycle([signal.SIGINT, signal.SIGTERM])
STOPPED = [
    pytest.param(command, moment, next(SIGNALS), id=f"{name}-{moment.__name__}")
    for moment in MOMENTS
    for command, name in zip(BUILDS, ("perfnotes", "mkdocs"), strict=True)
    if (moment, name) != (wrote_stage, "perfnotes")
]


@slow
@pytest.mark.parametrize(("command", "moment", "number"), STOPPED)
def test_a_build_that_is_stopped_leaves_the_last_site(
    project: Path,
    built_example: Path,
    next_site: Path,
    command: list[str],
    moment: Moment,
    number: signal.Signals,
) -> None:
    log = project.parent / "log"
    child = start(project, command, log)
    try:
        # Held at that moment, so that it cannot be over before the signal comes.
        was_running = hold(child, lambda: moment(project, child.pid))
        is_over = moment in MOMENTS[2:] and not writes_site(project, child.pid)
        finished = is_over or not was_running
        child.send_signal(number)
        child.send_signal(signal.SIGCONT)
        status = child.wait(timeout=60)
    finally:
        end(child)
    printed = log.read_text("utf-8")
    assert "Traceback" not in printed
    if finished:
        assert status in (0, 128 + number)
        assert not differences(project / "site", next_site)
        assert_nothing_left(project)
        return
    assert status == 128 + number, printed
    assert_nothing_changed(project, built_example)


def hold(child: subprocess.Popen[bytes], reached: Callable[[], bool]) -> bool:
    """Stop the process when the moment is reached; False where it ended before."""
    deadline = time.monotonic() + 120
    while child.poll() is None:
        assert time.monotonic() < deadline
        if reached():
            child.send_signal(signal.SIGSTOP)
            return True
        time.sleep(0.002)
    return False


@slow
def test_what_a_killed_build_left_goes_with_the_next(project: Path, next_site: Path) -> None:
    child = start(project, perfnotes("build", "--quiet"), project.parent / "log")
    try:
        assert hold(child, lambda: wrote_pages(project, 0))
    finally:
        end(child)
    assert list(project.glob(".site.building-*"))
    run(project, perfnotes("build", "--quiet"))
    assert differences(project / "site", next_site) == []
    assert_nothing_left(project)


@slow
def test_two_builds_at_once_take_turns(project: Path, next_site: Path) -> None:
    logs = [project.parent / name for name in ("first", "second")]
    children = [start(project, perfnotes("build", "--quiet"), log) for log in logs]
    try:
        assert [child.wait(timeout=120) for child in children] == [0, 0]
    finally:
        for child in children:
            end(child)
    said = "".join(log.read_text("utf-8") for log in logs)
    assert said in ("", "perfnotes: another build is running here; waiting for its end\n")
    assert differences(project / "site", next_site) == []
    assert_nothing_left(project)


@slow
def test_two_builds_of_any_folder_into_one_site(built_example: Path, tmp_path: Path) -> None:
    project = copy_built(built_example, tmp_path / "project")
    options = ["--quiet", "--notes", str(project / "notes"), "--site", str(tmp_path / "site")]
    run(project, perfnotes("build", *options))
    (tmp_path / "site").rename(tmp_path / "alone")
    children = [
        start(project, perfnotes("build", *options), tmp_path / f"log-{i}") for i in range(2)
    ]
    try:
        assert [child.wait(timeout=120) for child in children] == [0, 0]
    finally:
        for child in children:
            end(child)
    assert differences(tmp_path / "site", tmp_path / "alone") == []
    assert {p.name for p in tmp_path.iterdir()} == {"project", "site", "alone", "log-0", "log-1"}


@pytest.fixture(scope="module")
def built_here(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The place of a project that was built there, and a copy of it as it is then.

    What a cache says of a site holds at its place alone.
    """
    folder = tmp_path_factory.mktemp("edited")
    project, kept = folder / "place" / "project", folder / "kept"
    copy_built(built_example, project)
    run(project, perfnotes("build", "--quiet"))
    assert not differences(project / "site", built_example / "site")
    shutil.copytree(project, kept, symlinks=True)
    return project, kept


@pytest.fixture
def edited(built_here: tuple[Path, Path]) -> Path:
    """The same project, whose next build is one after an edit: it makes little anew."""
    project, kept = built_here
    shutil.rmtree(project.parent)
    shutil.copytree(kept, project, symlinks=True)
    edit(project, "One more sentence.")
    return project


@slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_build_after_an_edit_that_is_stopped(
    edited: Path, built_example: Path, next_site: Path, number: signal.Signals
) -> None:
    log = edited.parent / "log"
    child = start(edited, perfnotes("build", "--quiet"), log)
    try:
        assert hold(child, lambda: writes_site(edited, child.pid))
        child.send_signal(number)
        child.send_signal(signal.SIGCONT)
        child.wait(timeout=60)
    finally:
        end(child)
    assert "Traceback" not in log.read_text("utf-8")
    if number != signal.SIGKILL:
        other = built_example / "site" if child.returncode else next_site
        assert not differences(edited / "site", other)
        assert_nothing_left(edited)
    run(edited, perfnotes("build", "--quiet"))
    assert not differences(edited / "site", next_site)
    assert_nothing_left(edited)


@slow
def test_a_build_after_an_edit_whose_files_were_half_in_place(
    edited: Path, built_example: Path, next_site: Path
) -> None:
    page = Path("site") / "caches" / "rows" / "index.html"
    shutil.copyfile(next_site.parent / page, edited / page)
    run(edited, perfnotes("build", "--quiet"))
    assert not differences(edited / "site", next_site)
    shutil.copyfile(built_example / ROWS, edited / ROWS)
    run(edited, perfnotes("build", "--quiet"))
    assert not differences(edited / "site", built_example / "site")


@slow
@pytest.mark.parametrize("count", [1, 4])
def test_a_build_after_an_edit_on_a_full_disk(
    edited: Path, built_example: Path, next_site: Path, count: int
) -> None:
    done = run_on_full_disk(edited, perfnotes("build", "--quiet"), ".site.", count)
    assert_says_once(done, os.strerror(errno.ENOSPC))
    assert_nothing_changed(edited, built_example)
    run(edited, perfnotes("build", "--quiet"))
    assert not differences(edited / "site", next_site)


@slow
def test_two_builds_after_an_edit_at_once(edited: Path, next_site: Path) -> None:
    both = [start(edited, perfnotes("build", "--quiet"), edited.parent / n) for n in ("a", "b")]
    for child in both:
        assert child.wait(timeout=60) == 0
    assert not differences(edited / "site", next_site)
    assert_nothing_left(edited)
