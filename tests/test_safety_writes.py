"""A site is written whole or not at all: after errors, Ctrl-C, kill and a full disk, the last one
stands as it was, and nothing half done lies beside it."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

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
    return staged.exists() and "One more sentence." in staged.read_text("utf-8")


def writes_site(project: Path, _: int) -> bool:
    return bool(list(project.glob(".site.building-*")))


def wrote_pages(project: Path, _: int) -> bool:
    folders = project.glob(".site.building-*")
    files = [name for folder in folders for _, _, names in os.walk(folder) for name in names]
    return files.count("index.html") > 20


Moment = Callable[[Path, int], bool]
MOMENTS = [reads_notes, wrote_stage, writes_site, wrote_pages]


# Only MkDocs stages the pages in a folder.
STOPPED = [
    pytest.param(command, moment, id=f"{name}-{moment.__name__}")
    for command, name in zip(BUILDS, ("perfnotes", "mkdocs"), strict=True)
    for moment in MOMENTS
    if (moment, name) != (wrote_stage, "perfnotes")
]


@slow
@pytest.mark.parametrize(("command", "moment"), STOPPED)
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


FULL = [(BUILDS[1], "build/stage", 1)]
FULL += [(command, ".site.", count) for command in BUILDS for count in (1, 70)]


@slow
@pytest.mark.parametrize(("command", "folder", "count"), FULL)
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


@pytest.fixture(scope="module")
def built_here(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The place of a project that was built there, and a copy of it as it is then.

    What a cache says of a site holds at its place alone.
    """
    folder = tmp_path_factory.mktemp("edited")
    project, kept = folder / "place" / "project", folder / "kept"
    shutil.copytree(built_example, project, symlinks=True)
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
