"""A project with a good site whose next build goes wrong, and what must stand there afterwards."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.project import copy_built, differences, mkdocs, perfnotes, project_files, run

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
    project = copy_built(built_example, tmp_path / "project")
    edit(project, "One more sentence.")
    return project


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


def assert_says_once(done: subprocess.CompletedProcess[str], reason: str) -> None:
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed
    lines = [line for line in printed.splitlines() if line.strip()]
    assert sum(line.startswith("perfnotes: ") and reason in line for line in lines) == 1, printed
    if done.args[1] != "-S":  # MkDocs itself names the page before
        assert len(lines) == 1, printed
