"""A site is written whole or not at all: after errors, Ctrl-C, kill and a full disk, the last one
stands as it was, and nothing half done lies beside it."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from perfnotes.storage.write import FolderLock, NewFolder, exchange, put_tree
from tests.project import (
    copy_project,
    differences,
    end,
    mkdocs,
    perfnotes,
    project_files,
    run,
    start,
    tree,
)

ROWS = "notes/caches/rows.md"

# Lets the n-th file that is opened for writing below a folder fail as on a full disk.
FULL_DISK = """\
import builtins, errno, io, os

_open, _left = builtins.open, [int(os.environ["FAILING_WRITE"])]


def failing_open(file, mode="r", *rest, **named):
    path = os.path.abspath(os.fspath(file)) if not isinstance(file, int) else ""
    if set(mode) & set("wax") and path.startswith(os.environ["FAILING_FOLDER"]):
        _left[0] -= 1
        if _left[0] <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
    return _open(file, mode, *rest, **named)


builtins.open = io.open = failing_open
"""


@pytest.fixture
def project(built_example: Path, tmp_path: Path) -> Path:
    """A project with a good site, and a note that was changed since."""
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    edit(project, "One more sentence.")
    return project


@pytest.fixture(scope="module")
def next_site(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the next build of ``project`` makes when it is left alone."""
    project = tmp_path_factory.mktemp("next") / "project"
    shutil.copytree(built_example, project, symlinks=True)
    edit(project, "One more sentence.")
    run(project, perfnotes("build", "--quiet"))
    page = project / "site" / "caches" / "rows" / "index.html"
    assert "One more sentence." in page.read_text("utf-8")
    return project / "site"


def edit(project: Path, text: str) -> None:
    with (project / ROWS).open("a", encoding="utf-8") as note:
        note.write(f"\n{text}\n")


def assert_nothing_changed(project: Path, built: Path) -> None:
    assert differences(project / "site", built / "site") == []
    assert_nothing_left(project)


def assert_nothing_left(project: Path) -> None:
    # The cache holds whole files, and git leaves it out.
    before = {".git", ".perfnotes-cache"}
    before |= {name.split("/")[0] for name in project_files() if name[0] == "."}
    assert {p.name for p in project.glob(".*")} <= before
    assert {p.name for p in (project / "build").iterdir()} == {"stage"}
    assert not list((project / "build" / "stage").rglob(".*.tmp"))


BUILDS = [perfnotes("build", "--quiet"), mkdocs("build", "--quiet")]
slow = pytest.mark.slow
both = pytest.mark.parametrize("command", BUILDS, ids=["perfnotes", "mkdocs"])


@slow
@both
def test_an_error_in_a_note_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str]
) -> None:
    edit(project, "See [[linse]].")
    done = run(project, command, status=1)
    assert f"{ROWS}:14:5: PN301 " in done.stderr
    assert "Traceback" not in done.stderr
    assert_nothing_changed(project, built_example)


@slow
@both
def test_an_unsafe_page_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str]
) -> None:
    edit(project, "A *word*{onclick=alert(1)}.")
    done = run(project, command, status=1)
    assert f"{ROWS}:14:10: PN601 " in done.stderr
    assert_nothing_changed(project, built_example)


def reads_notes(project: Path, pid: int) -> bool:
    """Whether the process has begun: it holds the lock on the staged tree."""
    try:
        return str(project / "build" / "stage") in {
            str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()
        }
    except OSError:
        return False


def wrote_stage(project: Path, _: int) -> bool:
    staged = project / "build" / "stage" / "caches" / "rows" / "index.md"
    return "One more sentence." in staged.read_text("utf-8")


def writes_site(project: Path, _: int) -> bool:
    return bool(list(project.glob(".site.building-*")))


def wrote_pages(project: Path, _: int) -> bool:
    folders = project.glob(".site.building-*")
    files = [name for folder in folders for _, _, names in os.walk(folder) for name in names]
    return files.count("index.html") > 20


Moment = Callable[[Path, int], bool]
MOMENTS = [reads_notes, wrote_stage, writes_site, wrote_pages]


@slow
@both
@pytest.mark.parametrize("moment", MOMENTS, ids=[m.__name__ for m in MOMENTS])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
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


def run_on_full_disk(
    project: Path, command: list[str], folder: str, count: int
) -> subprocess.CompletedProcess[str]:
    """Run a build that cannot write the file of this number below ``folder``."""
    patch = project.parent / "patch"
    patch.mkdir()
    (patch / "sitecustomize.py").write_text(FULL_DISK, "utf-8")
    full = {
        "PYTHONPATH": str(patch),
        "FAILING_FOLDER": str(project / folder),
        "FAILING_WRITE": str(count),
    }
    python = command
    if command[1] == "-S":  # which reads no sitecustomize
        python = [*command[:3], f"import sitecustomize; {command[3]}", *command[4:]]
    return run(project, python, status=2, env=full)


@slow
@both
@pytest.mark.parametrize(("folder", "count"), [("build/stage", 1), (".site.", 1), (".site.", 70)])
def test_a_full_disk_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str], folder: str, count: int
) -> None:
    done = run_on_full_disk(project, command, folder, count)
    assert_says_once(done, os.strerror(errno.ENOSPC))
    assert_nothing_changed(project, built_example)


@slow
@both
def test_a_write_that_the_system_refuses_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str]
) -> None:
    def limit_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = run(project, command, status=2, before=limit_size)
    assert_says_once(done, os.strerror(errno.EFBIG))
    assert_nothing_changed(project, built_example)


def assert_says_once(done: subprocess.CompletedProcess[str], reason: str) -> None:
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed
    lines = [line for line in printed.splitlines() if line.strip()]
    assert sum(line.startswith("perfnotes: ") and reason in line for line in lines) == 1, printed
    if done.args[1] != "-S":  # MkDocs itself names the page before
        assert len(lines) == 1, printed


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
    options = ["--quiet", "--notes", str(built_example / "notes"), "--site", str(tmp_path / "site")]
    run(built_example, perfnotes("build", *options))
    (tmp_path / "site").rename(tmp_path / "alone")
    children = [
        start(built_example, perfnotes("build", *options), tmp_path / f"log-{i}") for i in range(2)
    ]
    try:
        assert [child.wait(timeout=120) for child in children] == [0, 0]
    finally:
        for child in children:
            end(child)
    assert differences(tmp_path / "site", tmp_path / "alone") == []
    assert {p.name for p in tmp_path.iterdir()} == {"site", "alone", "log-0", "log-1"}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("usual") / "project", notes={})


@slow
@pytest.mark.parametrize("kept", ["index.html", "photo.jpg", ".git/config"])
def test_a_folder_with_something_else_is_not_replaced(
    usual: Path, tmp_path: Path, kept: str
) -> None:
    file = tmp_path / "site" / kept
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    if kept.startswith("."):  # beside a site of ours
        (tmp_path / "site" / "assets" / "perfnotes").mkdir(parents=True)
    before = tree(tmp_path)
    done = run(usual, perfnotes("build", "--site", str(tmp_path / "site")), status=2)
    assert len(done.stderr.splitlines()) == 1
    assert "holds something else than a site" in done.stderr
    assert tree(tmp_path) == before


@slow
def test_mkdocs_replaces_nothing_else_either(usual: Path, tmp_path: Path) -> None:
    (tmp_path / "site" / ".git").mkdir(parents=True)
    (tmp_path / "site" / ".git" / "config").write_text("mine")
    before = tree(tmp_path)
    done = run(usual, mkdocs("build", "--site-dir", str(tmp_path / "site")), status=1)
    assert "holds something else than a site" in done.stdout
    assert tree(tmp_path) == before


@slow
def test_wrong_folders_are_named_in_one_line(usual: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "notes" / "below").mkdir(parents=True)
    (tmp_path / "notes" / "note.md").write_text("# Note\n")
    notes, site = f"--notes={tmp_path}/notes", f"--site={tmp_path}/site"
    wrong = [
        [f"--notes={tmp_path}/missing", site],
        [f"--notes={tmp_path}/file", site],
        [notes],
        [notes, f"--site={tmp_path}/notes/below"],
        [notes, f"--site={tmp_path}"],
        [notes, f"--site={tmp_path}/file"],
        [notes, site, f"--stage={tmp_path}/notes"],
    ]
    before = tree(tmp_path)
    for options in wrong:
        done = run(usual, perfnotes("build", *options), status=2)
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert done.stderr.startswith("perfnotes: ")
    assert tree(tmp_path) == before


@slow
@pytest.mark.parametrize(
    "line", ["site_url: no address", "site_url: [1", "theme: nosuchtheme", "\tsite_name: x"]
)
def test_a_broken_configuration_is_named_in_one_line(
    usual: Path, tmp_path: Path, line: str
) -> None:
    project = shutil.copytree(usual, tmp_path / "project", symlinks=True)
    with (project / "mkdocs.yml").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = run(project, perfnotes("build"), status=2)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("perfnotes: mkdocs.yml: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (project / "site").exists()


# The pieces, without a build.


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


def test_a_folder_takes_the_place_of_another_in_one_step(tmp_path: Path) -> None:
    put_tree(tmp_path / "new", {"x": b"new"})
    put_tree(tmp_path / "place", {"x": b"old", "y": b"old"})
    exchange(tmp_path / "new", tmp_path / "place")
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


@pytest.fixture
def edited(project: Path, built_example: Path) -> Path:
    """The same project, whose next build is one after an edit: it makes little anew."""
    shutil.copyfile(built_example / ROWS, project / ROWS)
    run(project, perfnotes("build", "--quiet"))
    assert not differences(project / "site", built_example / "site")
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
@pytest.mark.parametrize(("folder", "count"), [("build/stage", 1), (".site.", 1), (".site.", 4)])
def test_a_build_after_an_edit_on_a_full_disk(
    edited: Path, built_example: Path, next_site: Path, folder: str, count: int
) -> None:
    done = run_on_full_disk(edited, perfnotes("build", "--quiet"), folder, count)
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
